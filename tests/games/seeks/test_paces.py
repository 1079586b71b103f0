"""Standing seeks at every pace and on every board: when nobody is seated, and where pieces are drawn."""

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.tables.expire_table import expire_table
from games.clock import PACES, TimeControl
from games.models import Game, Reason, Seek, Status
from games.queries.tables.seeks import EVENING_LASTS, MOVES_WITHIN, SOUGHT, SOUGHT_TIMES, seeks_of
from games.rules.variants import get_variant
from games.table.changes import OPEN_FOR
from tests.conftest import LogIn, person
from tests.games.play.pages import read
from tests.games.seeks.test_seating import people_at, seated, seek, table
from tests.games.tables import ME, OPEN, fresh, open_table
from tests.games.tasks.workers import forget_jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)

PARIS = ZoneInfo("Europe/Paris")
NIGHT, DAY = datetime(2027, 3, 2, 2, tzinfo=PARIS), datetime(2027, 3, 2, 20, tzinfo=PARIS)


def sleeps(user: User) -> User:
    User.objects.filter(pk=user.pk).update(quiet_from=time(23), quiet_until=time(7), time_zone="Europe/Paris")
    return User.objects.get(pk=user.pk)


def kept(user: User, now: datetime, **kind: Any) -> Seek:
    """Return a seek that was set at this moment, and that no job has seen."""
    asked = {"variant": "junior", "pace": "evening", "is_rated": False, "number": 1, **kind}
    return Seek.objects.create(person=user, set_at=now, due_at=now, **asked)


def rest_of(user: User, now: datetime) -> str:
    return seeks_of(User.objects.get(pk=user.pk), now)[0].rest


def test_nobody_is_seated_for_an_evening_in_their_quiet_hours(alice: User, bob: User) -> None:
    table(bob, time=PACES["evening"], now=NIGHT)
    row = kept(sleeps(alice), NIGHT)
    assert seat_seeker(row.pk, now=NIGHT) is None
    assert seated(alice) == []
    (state,) = seeks_of(User.objects.get(pk=alice.pk), NIGHT)
    assert (state.rest, state.until) == ("quiet", datetime(2027, 3, 2, 7, tzinfo=PARIS))


def test_nor_are_others_in_theirs(alice: User, bob: User) -> None:
    game = table(sleeps(bob), time=PACES["evening"], now=NIGHT)
    row = kept(alice, NIGHT)
    opened = seat_seeker(row.pk, now=NIGHT)
    assert opened not in (None, game)
    assert people_at(game) == {"bob"}


def test_at_other_paces_clocks_stand_still_instead(alice: User, bob: User) -> None:
    game = table(bob, now=NIGHT)
    row = kept(sleeps(alice), NIGHT, pace="normal")
    assert seat_seeker(row.pk, now=NIGHT) == game
    assert rest_of(alice, NIGHT) == ""


def test_an_evening_is_over_after_three_hours_and_nobody_finds_its_table_any_more(alice: User, bob: User) -> None:
    row = kept(alice, DAY)
    own = seat_seeker(row.pk, now=DAY)
    assert own is not None
    late = DAY + EVENING_LASTS
    assert seat_seeker(row.pk, now=late) is None
    assert (fresh(own).status, rest_of(alice, late)) == (Status.CANCELLED, "evening")
    seek(alice, pace="evening")
    assert rest_of(alice, timezone.now()) == ""


def test_a_table_of_another_evening_is_none_for_a_seek(alice: User, bob: User) -> None:
    old = table(bob, time=PACES["evening"], now=DAY - EVENING_LASTS - timedelta(minutes=1))
    opened = seat_seeker(kept(alice, DAY).pk, now=DAY)
    assert opened is not None
    assert (opened == old, people_at(old)) == (False, {"bob"})


def test_no_second_table_is_opened_for_somebody_to_whose_table_nobody_has_come(alice: User, bob: User) -> None:
    row = seek(alice)
    run_jobs()
    (own,) = seated(alice)
    later = timezone.now() + OPEN_FOR + timedelta(hours=1)
    assert expire_table(own.slug, now=later)
    forget_jobs()
    assert fresh(own).reason == Reason.EXPIRED
    assert seat_seeker(row.pk, now=later) is None
    assert (seated(alice), rest_of(alice, later)) == ([], "idle")
    # It stays so when the table itself is forgotten, until its person says so.
    Game.objects.all().delete()
    assert rest_of(alice, later) == "idle"
    seek(alice)
    run_jobs()
    assert len(seated(alice)) == 1


def test_nobody_is_seated_without_a_time_limit_for_whose_move_others_have_waited_for_a_week(
    alice: User, bob: User
) -> None:
    row = seek(alice, 2, pace="unlimited")
    seek(bob, 1, pace="unlimited")
    run_jobs()
    (game, waiting) = seated(alice)
    assert (game.status, game.time_control) == (Status.RUNNING, TimeControl())
    Game.objects.filter(pk=game.pk).update(turn_user=alice)
    assert game.turn_since
    long = game.turn_since + MOVES_WITHIN + timedelta(minutes=1)
    assert seat_seeker(row.pk, now=long) is None
    assert (fresh(waiting).status, rest_of(alice, long)) == (Status.CANCELLED, "owes")


@pytest.mark.parametrize("pace", SOUGHT_TIMES)
def test_every_pace_can_be_sought(pace: str, alice: User, bob: User, log_in: LogIn) -> None:
    for each in (alice, bob):
        sent = {"variant": "junior", "pace": pace, "number": "1", "rated": "yes"}
        assert log_in(each).post("/seeks/", sent).status_code == 302
    run_jobs()
    assert [people_at(game) for game in seated(alice, status=Status.RUNNING)] == [{"alice", "bob"}]


@pytest.mark.parametrize("variant", SOUGHT)
def test_every_board_can_be_sought_and_its_tables_are_counted(variant: str) -> None:
    people = [person(f"seeker{number}") for number in range(get_variant(variant).seats)]
    for each in people:
        seek(each, variant=variant)
    run_jobs()
    (game,) = Game.objects.all()
    assert (game.status, len(people_at(game))) == (Status.RUNNING, len(people))
    assert [state.running for state in seeks_of(people[0], timezone.now())] == [1]


def test_pieces_are_drawn_for_each_game_and_tables_of_another_size_are_of_another_kind(alice: User, bob: User) -> None:
    larger = table(bob, variant="codingame-2:15:7")
    usual = table(person("carol"), variant="codingame-2:13:7")
    seek(alice, 2, variant="codingame-2")
    run_jobs()
    assert people_at(larger) == {"bob"}
    assert people_at(usual) == {"alice", "carol"}
    (opened,) = seated(alice, status=Status.OPEN)
    assert opened.variant not in ("codingame-2", usual.variant)


def test_who_presses_play_anyone_finds_a_table_with_other_pieces(alice: User, bob: User, log_in: LogIn) -> None:
    game = table(alice, variant="codingame-2:13:7", is_rated=True)
    other = open_table(bob, ME, OPEN, variant="codingame-2:13:8", is_public=False, now=timezone.now())
    assert other.variant != game.variant
    log_in(bob).post("/play-anyone/")
    assert people_at(game) == {"alice", "bob"}


def test_the_reasons_are_read_in_words(alice: User, log_in: LogIn) -> None:
    kept(alice, timezone.now() - EVENING_LASTS)
    kept(alice, timezone.now(), pace="slow", is_idle=True)
    page = read(log_in(alice).get("/seeks/"))
    assert "Rests, since the evening is over." in page.text
    assert "Rests, since no one came to your table for two weeks." in page.text
    assert [button["value"] for button in page.find_all("button", name="number") if "Go on" in button.text] == ["1"] * 2
