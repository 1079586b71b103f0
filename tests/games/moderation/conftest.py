"""What the tests of reports ask for."""

import pytest
from django.test import Client

from accounts.keys.factors import has_second_factor
from accounts.models import User
from games.actions.talk.send_message import send_message
from games.models import Game, TalkMessage
from tests.accounts.factors import show_factor, with_codes
from tests.conftest import LogIn, person
from tests.games.tables import running
from tests.games.views.conftest import query_count

__all__ = ["query_count"]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a private game in which alice and bob write what they like."""
    return running(alice, bob, is_public=False)


@pytest.fixture
def line(bob: User, game: Game) -> TalkMessage:
    """Return what bob has said there."""
    return send_message(bob, game.slug, text="I know where you live.")


@pytest.fixture
def judge(db: None) -> User:
    """Return a moderator."""
    judge = person("judith")
    User.objects.filter(pk=judge.pk).update(is_moderator=True)
    judge.refresh_from_db()
    with_codes(judge)
    return judge


@pytest.fixture
def desk(judge: User, log_in: LogIn) -> Client:
    """Return the browser of a moderator who has just shown a second factor."""
    return with_factor(judge, log_in)


def with_factor(user: User, log_in: LogIn) -> Client:
    if not has_second_factor(user):
        with_codes(user)
    browser = log_in(user)
    show_factor(browser, user)
    return browser
