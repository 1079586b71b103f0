"""Programs agree on a pause as people do."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.clock import TimeControl
from tests.games.api.conftest import Program
from tests.games.tables import running

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_pause_begins_when_both_agree_and_ends_by_one_word(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(1))
    hers, his = program(alice), program(bob)
    asked: dict[str, Any] = hers.post(f"games/{game.slug}/pause/ask", version=0).json()
    assert (asked["paused"], asked["pause"]["wanted_by"], asked["pause"]["waits_for"]) == (False, [0], [1])
    assert his.get(f"games/{game.slug}").json()["may"]["agree_to_pause"]
    begun = his.post(f"games/{game.slug}/pause/agree", request=asked["pause"]["request"]).json()
    assert (begun["paused"], begun["pause"]["ends_at"] is None, begun["may"]["place"]) == (True, False, False)
    answer = hers.post(f"games/{game.slug}/place", number=1, placement="1:a1")
    assert (answer.status_code, answer.json()["code"]) == (409, "paused")
    ended = hers.post(f"games/{game.slug}/pause/end", version=begun["pause"]["version"]).json()
    assert (ended["paused"], ended["may"]["place"]) == (False, True)
    assert ended["turn"]["deadline"]


def test_a_pause_that_is_declined_does_not_begin(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = running(alice, bob)
    asked = program(alice).post(f"games/{game.slug}/pause/ask", version=0).json()
    dropped = program(bob).post(f"games/{game.slug}/pause/drop", request=asked["pause"]["request"]).json()
    assert (dropped["paused"], dropped["pause"]["request"]) == (False, 0)
