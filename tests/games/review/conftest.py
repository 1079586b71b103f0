"""What tests of reviews share: a finished game, and an engine that answers at once."""

import pytest

from accounts.models import User
from games.models import Game
from tests.games import recorded
from tests.games.bots.fakes import FirstFew


@pytest.fixture(autouse=True)
def quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the review come from an engine that answers at once, two positions a job."""
    monkeypatch.setattr("games.bots.reviewer.strong_engine", FirstFew)
    monkeypatch.setattr("games.bots.reviewer.CHUNK_SECONDS", 0.0)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game of duo that was played to its end by chance."""
    return recorded.finished(alice, bob, variant="duo")


@pytest.fixture
def reviewed(alice: User, game: Game) -> Game:
    """Return that game with its review done."""
    return recorded.reviewed(alice, game)
