"""Programs take moves back as people do, and never move in a position that is gone."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import User
from tests.games.api.conftest import Program
from tests.games.tables import ME, bot, due, fresh, open_table, play_out, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_move_goes_once_the_other_agrees(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = play_out(running(alice, bob, allows_takebacks=True), turns=2)
    hers, his = program(alice), program(bob)
    asked = his.post(f"games/{game.slug}/takeback/ask", number=due(game)).json()
    assert (asked["takeback"]["wanted_by"], asked["takeback"]["waits_for"]) == ([1], [0])
    assert (asked["takeback"]["back_to"], asked["takeback"]["alone"]) == (2, False)
    seen = hers.get(f"games/{game.slug}").json()
    assert (seen["may"]["agree_to_takeback"], seen["may"]["ask_for_takeback"]) == (True, False)
    after = hers.post(f"games/{game.slug}/takeback/agree", request=asked["takeback"]["request"]).json()
    assert ([move["number"] for move in after["moves"]], after["number"]) == ([1], 4)
    [gone] = after["taken_back"]
    assert (gone["seat"], [move["number"] for move in gone["moves"]]) == (1, [2])
    late = his.post(f"games/{game.slug}/place", number=2, placement=gone["moves"][0]["placement"])
    assert (late.status_code, late.json()["code"], late.json()["number"]) == (409, "stale-game", 4)
    again = his.post(f"games/{game.slug}/place", number=4, placement=gone["moves"][0]["placement"])
    assert (again.status_code, again.json()["number"]) == (200, 2)


def test_one_who_declines_ends_it(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = play_out(running(alice, bob, allows_takebacks=True), turns=2)
    asked = program(bob).post(f"games/{game.slug}/takeback/ask", number=due(game)).json()
    dropped = program(alice).post(f"games/{game.slug}/takeback/drop", request=asked["takeback"]["request"]).json()
    assert (dropped["takeback"]["request"], len(dropped["moves"])) == (0, 2)


def test_against_bots_it_goes_at_once(alice: User, program: Callable[..., Program]) -> None:
    game = play_out(open_table(alice, ME, bot(), variant="duo"), turns=2)
    hers = program(alice)
    seen = hers.get(f"games/{game.slug}").json()
    assert (seen["may"]["ask_for_takeback"], seen["takeback"]["alone"]) == (True, True)
    after = hers.post(f"games/{game.slug}/takeback/ask", number=due(game)).json()
    assert (after["moves"], after["may"]["place"], fresh(game).move_count) == ([], True, 0)


def test_a_move_that_no_other_person_was_shown_goes_at_once(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = play_out(running(alice, bob, allows_takebacks=True), turns=2, now=timezone.now())
    his = program(bob)
    seen = his.get(f"games/{game.slug}").json()["takeback"]
    assert seen["alone"]
    assert seen["alone_until"]
    after = his.post(f"games/{game.slug}/takeback/ask", number=due(game), alone=True).json()
    assert (len(after["moves"]), after["takeback"]["request"]) == (1, 0)


def test_a_program_that_is_shown_the_move_ends_that(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = play_out(running(alice, bob, allows_takebacks=True), turns=2, now=timezone.now())
    program(alice).get(f"games/{game.slug}")
    his = program(bob)
    assert his.get(f"games/{game.slug}").json()["takeback"]["alone_until"] is None
    refused = his.post(f"games/{game.slug}/takeback/ask", number=due(game), alone=True)
    assert (refused.status_code, refused.json()["code"]) == (409, "move-shown")
    assert his.post(f"games/{game.slug}/takeback/ask", number=due(game)).json()["takeback"]["wanted_by"] == [1]
