"""What tests of reviews share: a finished game, and an engine that answers at once."""

import pytest

from accounts.models import User
from games.models import Game
from tests.games.bots.fakes import FirstFew
from tests.games.tables import large_first, play_out, running


@pytest.fixture(autouse=True)
def quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the review come from an engine that answers at once, two positions a job."""
    monkeypatch.setattr("games.bots.reviewer.strong_engine", FirstFew)
    monkeypatch.setattr("games.bots.reviewer.CHUNK_SECONDS", 0.0)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game of duo that was played to its end by chance."""
    return play_out(running(alice, bob, variant="duo"), 5, large_first)
