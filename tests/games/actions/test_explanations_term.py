"""Whether the bots of a table explain their moves while the game goes on."""

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.open_rematch import open_rematch
from games.base.setup import SeatSetup
from games.models import Game
from tests.games.tables import ME, OPEN, bot, open_table, running


@pytest.mark.parametrize(
    ("seats", "asked", "allowed"),
    [
        ((ME, bot()), None, True),
        ((bot(), bot()), None, True),
        ((ME, OPEN), None, False),
        ((ME, OPEN, bot()), None, False),
        ((ME, OPEN, bot()), True, True),
        ((ME, bot()), False, False),
    ],
)
def test_bots_explain_themselves_at_once_where_one_person_plays_or_the_table_says_so(
    seats: tuple[SeatSetup, ...], asked: bool | None, allowed: bool, alice: User
) -> None:
    assert open_table(alice, *seats, allows_explanations=asked).allows_explanations is allowed


@pytest.mark.parametrize("allowed", [True, False])
def test_a_rematch_keeps_whether_bots_explain_themselves(allowed: bool, alice: User, bob: User) -> None:
    old = running(alice, bob, allows_explanations=allowed)
    resign(bob, old.slug)
    assert Game.objects.get(pk=open_rematch(alice, old.slug).pk).allows_explanations is allowed
