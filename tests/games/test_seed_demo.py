"""`manage.py seed_demo`."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.audit import checks
from games.base import positions
from games.management import demo
from games.models import Game, Notification, Player, Reason, Status
from games.rules import VARIANTS
from games.rules.variants import get_variant
from games.words import boards

pytestmark = [pytest.mark.django_db, pytest.mark.proof]


@pytest.fixture(scope="module")
def seeded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """What the command says; it takes seconds, so the tests of this file share what it made."""
    out = StringIO()
    with django_db_blocker.unblock():
        call_command("seed_demo", password="open sesame", stdout=out)
        yield out.getvalue()
        call_command("flush", interactive=False, verbosity=0)


def game(name: str) -> Game:
    return Game.objects.get(name=name)


def test_everybody_can_log_in(seeded: str) -> None:
    assert all(User.objects.get(username=name).check_password("open sesame") for name in demo.PEOPLE)
    assert len(demo.SCENES) == 38
    assert seeded.endswith("38 games made. Log in as alice, bob, carol, dave, password: open sesame\n")


def test_asking_again_adds_nothing_and_sets_a_new_password(seeded: str) -> None:
    out = StringIO()
    call_command("seed_demo", stdout=out)
    assert out.getvalue().startswith("0 games made.")
    password = out.getvalue().split()[-1]
    assert User.objects.get(username="alice").check_password(password)


def test_there_are_games_in_every_state(seeded: str) -> None:
    assert set(Game.objects.values_list("status", flat=True)) == set(Status.values)
    assert set(Game.objects.exclude(reason="").values_list("reason", flat=True)) == set(Reason.values)
    assert set(Game.objects.values_list("is_public", flat=True)) == {True, False}


def test_every_variant_is_played_and_every_board_is_seen_waiting_running_or_over(seeded: str) -> None:
    seen = {(boards.board_key(variant), status) for variant, status in Game.objects.values_list("variant", "status")}
    played = {get_variant(variant).family for variant in Game.objects.values_list("variant", flat=True)}
    assert played == set(VARIANTS)
    for key in boards.boards():
        assert len({status for board, status in seen if board == key}) >= 2


def test_games_are_scored_in_several_ways(seeded: str) -> None:
    assert {"penalty", "coverage"} <= set(Game.objects.values_list("scoring", flat=True))


def test_there_are_deadlines_near_and_long_waits_and_none_is_past(seeded: str) -> None:
    now = timezone.now()
    assert timedelta(0) < (game("Last hour").deadline or now) - now <= timedelta(hours=1)
    assert now - (game("Long silence").turn_since or now) > timedelta(days=1)
    assert not Game.objects.filter(deadline__lte=now).exists()


def test_it_is_alices_turn_and_that_of_others(seeded: str) -> None:
    running = Player.objects.filter(game__status=Status.RUNNING, seat=F("game__turn_seat"))
    assert {"alice", "bob", "carol"} <= set(running.values_list("user__username", flat=True))


def test_there_is_a_bonus_a_tie_and_a_pass_to_declare(seeded: str) -> None:
    assert 20 in positions.position_of(game("Every last piece")).scores().values()
    assert game("Dead heat").players.filter(is_winner=True).count() == 2
    waiting = game("Say it aloud")
    assert positions.position_of(waiting).is_blocked(waiting.turn_colour)


def test_notices_are_listed_by_their_dates(seeded: str) -> None:
    dates = list(
        Notification.objects.filter(user__username="alice").order_by("pk").values_list("created_at", flat=True)
    )
    assert len(dates) > 5
    assert dates == sorted(dates)


def test_every_game_follows_from_its_moves(seeded: str) -> None:
    for played in Game.objects.filter(started_at__isnull=False):
        assert list(checks.faults(played)) == []
