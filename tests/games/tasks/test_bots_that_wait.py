"""Bots that wait a few seconds before they move, so that people can follow."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.open_rematch import open_rematch
from games.background.sweep import sweep
from games.errors import BadRequest
from games.jobs import count_ready, first_ready
from games.models import Game
from games.tasks import BOTS
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, fresh, open_table
from tests.games.tasks.workers import jobs, make_due, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def test_bots_that_do_not_wait_are_asked_at_once(alice: User) -> None:
    open_table(alice, bot(), ME)
    assert count_ready() == {BOTS: 1}


def test_bots_that_wait_are_asked_once_their_pause_is_over(alice: User) -> None:
    game = open_table(alice, bot(), bot(), ME, bot(), bot_pause=5, now=timezone.now())
    assert jobs() == [("play_bot_turn", [game.pk, 1])]
    assert first_ready() is None
    make_due()
    assert count_ready() == {BOTS: 1}
    run_jobs()
    assert fresh(game).move_count == 1
    assert (len(jobs()), first_ready()) == (1, None)


def test_a_bot_that_waits_is_not_taken_for_lost(alice: User) -> None:
    open_table(alice, bot(), ME, bot_pause=10, now=timezone.now())
    sweep(timezone.now() + timedelta(seconds=8))
    assert len(jobs()) == 1


def test_a_rematch_keeps_how_long_bots_wait(alice: User) -> None:
    old = open_table(alice, bot(), ME, variant="duo", bot_pause=2)
    resign(alice, old.slug)
    assert Game.objects.get(pk=open_rematch(alice, old.slug).pk).bot_pause == 2


@pytest.mark.parametrize("seconds", [-1, 1, 3600])
def test_no_other_pause_than_those_offered_can_be_asked_for(seconds: int, alice: User) -> None:
    with pytest.raises(BadRequest) as refused:
        open_table(alice, bot(), ME, bot_pause=seconds)
    assert refused.value.field == "bot_pause"


def test_the_table_and_the_game_say_how_long_bots_wait(alice: User, log_in: LogIn) -> None:
    sentence = "The bots wait 5 seconds before each move."
    for seats, seconds, is_said in (((ME, bot()), 5, True), ((ME, OPEN, bot()), 5, True), ((ME, bot()), 0, False)):
        game = open_table(alice, *seats, bot_pause=seconds)
        assert (sentence in read(log_in(alice).get(f"/games/{game.slug}/")).text) is is_said
