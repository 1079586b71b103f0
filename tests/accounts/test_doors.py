"""The last guard behind `login_required`, and where a login leads back to."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory

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


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "back"),
    [
        ("http://testserver/games/abc/", "/games/abc/"),
        ("http://testserver/games/abc/?token=x&a=b", "/games/abc/%3Ftoken%3Dx%26a%3Db"),
        ("", "/games/"),
        ("https://elsewhere.example/games/abc/", "/games/"),
        ("http://testserver.elsewhere.example/", "/games/"),
    ],
)
def test_whoever_has_to_log_in_to_send_something_comes_back_to_the_page_it_was_sent_from(page: str, back: str) -> None:
    for path in ("/games/abc/place/", "/games/abc/typed/", "/games/abc/rematch/", "/accounts/preferences/"):
        answer = Client().post(path, headers={"Referer": page})
        assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={back}")


@pytest.mark.django_db
def test_a_page_whose_login_has_ended_is_loaded_anew_instead_of_taking_in_the_page_to_log_in() -> None:
    for path in ("/games/", "/games/waiting/", "/games/abc/advice/?way=page"):
        answer = Client().get(path, headers={"HX-Request": "true"})
        assert (answer.status_code, answer["HX-Refresh"], answer.content) == (200, "true", b"")
