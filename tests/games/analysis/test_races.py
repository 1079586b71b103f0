"""Several devices of one person change their branches at the same moment: none is lost, and none is there twice."""

from functools import partial

import pytest

from accounts import erasure
from games.actions.analysis.extend_branch import extend_branch
from games.actions.analysis.undo_branch import undo_branch
from games.base.branches import Branches
from games.errors import GameError
from games.models import Analysis
from tests.games.actions.test_races import at_once, duel, legal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("devices", [2, 8])
def test_what_several_devices_try_at_once_is_all_there_and_each_once(devices: int) -> None:
    game = duel()
    (alice,) = [player.user for player in game.players.all() if player.seat == 0]
    assert alice
    texts = legal(game)[: devices // 2]
    found = at_once([partial(extend_branch, alice, game.slug, move=text) for text in texts * 2])
    assert not [error for error in found if isinstance(error, Exception)]
    kept = Analysis.objects.get()
    assert sorted(one.move for one in Branches.from_data(kept.tree).tried.values()) == sorted(texts)
    assert kept.edition == len(texts)
    undone = at_once([lambda: undo_branch(alice, game.slug, edition=kept.edition)] * devices)
    assert len([error for error in undone if isinstance(error, GameError)]) == devices - 1


@pytest.mark.parametrize("_round", range(3))
def test_nothing_is_kept_for_an_account_that_is_closed_meanwhile(_round: int) -> None:
    game = duel()
    (alice,) = [player.user for player in game.players.all() if player.seat == 0]
    assert alice
    text = legal(game)[0]
    at_once([lambda: extend_branch(alice, game.slug, move=text), lambda: erasure.close_account(alice)])
    assert not Analysis.objects.exists()
