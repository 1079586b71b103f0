"""What the tests of reliability share."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.reliability.world import World


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """Return people, and games for them to knock at: made once, since every knock is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)
