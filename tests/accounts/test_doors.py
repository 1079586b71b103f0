"""The last guard behind `login_required`."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import RequestFactory

from accounts.doors import person
from accounts.models import User


def test_nobody_is_no_person() -> None:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    with pytest.raises(PermissionDenied):
        person(request)


def test_who_is_logged_in_is_that_person() -> None:
    request = RequestFactory().get("/")
    request.user = User(username="alice")
    assert person(request) is request.user
