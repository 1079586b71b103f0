"""A seeker chooses after how many hours bots take the empty seats of the table that is opened for anyone."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup
from games.errors import BadRequest
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, bot, open_table, setup


@pytest.mark.parametrize(("preset", "hours"), [("anyone", 6), ("friend", 0)])
def test_a_table_for_anyone_is_filled_after_the_chosen_time(
    preset: str, hours: int, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    assert "After 6 hours" in read(client.get("/games/new/")).text
    client.post("/games/new/", {"preset": preset, "fill_after": "6"})
    game = Game.objects.get()
    after = game.fill_at and game.fill_at - game.created_at
    assert (after, bool(game.fill_bot)) == ((timedelta(hours=hours), True) if hours else (None, False))


@pytest.mark.parametrize("sent", ["", "0", "x", "-1", "9" * 5000])
def test_without_a_time_no_bot_comes(sent: str, alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", {"preset": "anyone", "fill_after": sent})
    assert Game.objects.get().fill_at is None


def test_a_time_that_is_not_offered_is_refused(alice: User, log_in: LogIn) -> None:
    assert log_in(alice).post("/games/new/", {"preset": "anyone", "fill_after": "5"}).status_code == 400
    with pytest.raises(BadRequest):
        open_table(alice, ME, OPEN, fill_after=6, fill_bot="nobody")
    assert not Game.objects.exists()


def test_where_no_seat_waits_nothing_is_filled(alice: User) -> None:
    assert open_table(alice, ME, bot(), variant="duo", fill_after=6, fill_bot="sage-4").fill_at is None
    asked: GameSetup = setup(ME, OPEN, fill_after=6, fill_bot="sage-4")
    assert create_game(alice, asked, now=NOON).fill_at == NOON + timedelta(hours=6)
