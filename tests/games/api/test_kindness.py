"""Programs give a day, and take holidays, as people do."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.clock import TimeControl
from tests.games.api.conftest import Program
from tests.games.tables import running

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_a_program_gives_a_day_once(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(1), now=timezone.now())
    hers, his = program(alice), program(bob)
    assert [one.get(f"games/{game.slug}").json()["may"]["give_day"] for one in (hers, his)] == [False, True]
    for _twice in range(2):
        given = his.post(f"games/{game.slug}/give-day", number=1).json()
        assert ([day["giver"] for day in given["turn"]["days"]], given["may"]["give_day"]) == ([1], False)
        assert given["turn"]["seconds"] > 47 * 3600


def test_a_program_is_told_why_no_day_is_given(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(1), now=timezone.now())
    own = program(alice).post(f"games/{game.slug}/give-day", number=1)
    assert (own.status_code, own.json()["code"]) == (409, "own-turn")
    late = program(bob).post(f"games/{game.slug}/give-day", number=2)
    assert (late.status_code, late.json()["number"]) == (409, 1)


def test_programs_take_holidays_too(alice: User, bob: User, program: Callable[..., Program]) -> None:
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=400))
    game = running(alice, bob, time=TimeControl.days_a_move(3), now=timezone.now())
    hers, tomorrow = program(alice), (timezone.localdate() + timedelta(days=1)).isoformat()
    taken = hers.post("holidays", first=tomorrow, last=tomorrow).json()
    assert (taken["seconds"] // 86400, len(taken["taken"]), taken["automatic"]) == (20, 1, False)
    assert hers.post("holidays/choose", automatic=True).json()["automatic"]
    assert [each["seat"] for each in program(bob).get(f"games/{game.slug}").json()["holidays"]] == [0]
    refused = hers.post("holidays", first=tomorrow, last=tomorrow)
    assert (refused.status_code, refused.json()["code"]) == (409, "overlap")
