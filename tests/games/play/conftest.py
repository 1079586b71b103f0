"""Two people who play with the board, or in words."""

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.spoken.words import spoken


@pytest.fixture(params=["board", "words"])
def clients(request: pytest.FixtureRequest, alice: User, bob: User, log_in: LogIn) -> tuple[Client, Client]:
    """Return the browsers of alice and bob, who play with the board or in words."""
    found = log_in(alice), log_in(bob)
    return (spoken(found[0]), spoken(found[1])) if request.param == "words" else found
