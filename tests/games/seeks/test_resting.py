"""A standing seek rests once its person is away, and takes nothing from its person that is not the site's to take."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import pre_save
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User, Welcome
from games.actions.seeks.drop_seek import drop_seek
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.base.terms import TableTerms
from games.clock import PACES
from games.models import AWAY_AFTER, Game, Kind, Move, Player, Reason, Seek, Status
from games.pages.people.seeks import seek_rows
from games.queries.tables import seeks
from games.queries.tables.seeks import seeks_of
from tests.conftest import LogIn, person
from tests.games.api.conftest import Program
from tests.games.play.pages import read
from tests.games.seeks.test_seating import seated, seek, table
from tests.games.tables import ME, OPEN, bot, fresh, open_table
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def game_with(user: User, host: User, status: str, **seat: Any) -> Game:
    """Return a game for four on another board in which the person has this seat."""
    now, is_over = timezone.now(), status == Status.FINISHED
    turn = {} if is_over else {"turn_colour": "red", "turn_seat": 1, "turn_since": now}
    game = Game.objects.create(
        creator=host, variant="blockyou-4", status=status, created_at=now, changed_at=now, **turn
    )
    ended = now - timedelta(hours=1) if is_over else None
    Player.objects.create(game=game, seat=0, user=user, is_going=not is_over, ended_at=ended, **seat)
    return game


def test_nobody_is_seated_again_for_whom_a_bot_has_played_a_game_to_its_end(alice: User, bob: User) -> None:
    row = seek(alice)
    Seek.objects.update(set_at=timezone.now() - timedelta(days=30))
    game_with(alice, bob, Status.FINISHED, missed=AWAY_AFTER)
    run_jobs()
    assert seat_seeker(row.pk) is None
    assert seated(alice) == []
    assert seeks_of(alice, timezone.now())[0].rest == "late"
    seek(alice)
    run_jobs()
    assert len(seated(alice)) == 1


def test_of_the_latest_games_alone_that_have_ended_it_is_asked_whether_time_ran_out(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeks, "ENDED_LOOKED_AT", 2)
    seek(alice)
    Seek.objects.update(set_at=timezone.now() - timedelta(days=30))
    game_with(alice, bob, Status.FINISHED, missed=AWAY_AFTER)
    game_with(alice, bob, Status.FINISHED)
    assert seeks_of(alice, timezone.now())[0].rest == "late"
    game_with(alice, bob, Status.FINISHED)
    assert seeks_of(alice, timezone.now())[0].rest == ""


@pytest.mark.parametrize(
    ("seat", "move"),
    [
        ({"missed": AWAY_AFTER}, {"kind": Kind.PASS, "bot": "sage-4"}),
        ({"retired": Reason.OUT_OF_TIME}, {"kind": Kind.RETIRE, "retired": Reason.OUT_OF_TIME}),
    ],
)
def test_nobody_is_seated_who_is_away_from_a_game_that_goes_on_until_they_say_so(
    seat: dict[str, Any], move: dict[str, Any], alice: User, bob: User
) -> None:
    row = seek(alice)
    Seek.objects.update(set_at=timezone.now() - timedelta(days=30))
    game = game_with(alice, bob, Status.RUNNING, **seat)
    Move.objects.create(game=game, number=1, seat=0, version=1, played_at=timezone.now() - timedelta(hours=1), **move)
    assert seat_seeker(row.pk) is None
    assert seated(alice) == [game]
    assert seeks_of(alice, timezone.now())[0].rest == "late"
    seek(alice)
    assert seeks_of(alice, timezone.now())[0].rest == ""
    run_jobs()
    assert len(seated(alice)) == 2
    # Nor does it count again when that game ends without them.
    Player.objects.filter(game=game).update(is_going=False, ended_at=timezone.now())
    assert seeks_of(alice, timezone.now())[0].rest == ""


def test_a_table_that_its_person_has_changed_is_theirs_and_not_given_up(alice: User, bob: User, carol: User) -> None:
    for change in ({"time": PACES["slow"]}, {"is_public": False}):
        Game.objects.all().delete()
        Seek.objects.all().delete()
        row = seek(alice)
        run_jobs()
        (own,) = seated(alice)
        edit_table(alice, own.slug, TableTerms.of(own, **change))
        private = table(bob, is_public=False)
        join_game(alice, private.slug, token=private.invite_token)
        table(carol)
        run_jobs()
        assert seat_seeker(row.pk) is None
        assert fresh(own).status == Status.OPEN
        assert {game.pk for game in seated(alice)} == {own.pk, private.pk}


def test_no_table_waits_for_whoever_lets_no_one_invite_them(alice: User) -> None:
    row = seek(alice)
    run_jobs()
    (own,) = seated(alice)
    User.objects.filter(pk=alice.pk).update(invited_by=Welcome.NO_ONE)
    assert seat_seeker(row.pk) is None
    assert fresh(own).status == Status.CANCELLED
    run_jobs()
    assert Seek.objects.get().due_at > timezone.now()


def test_a_seek_is_changed_while_the_table_that_was_opened_for_it_last_is_deleted(alice: User) -> None:
    row = seek(alice)
    run_jobs()

    def delete(**_signal: Any) -> None:
        Seek.objects.update(table=None)
        Game.objects.all().delete()

    pre_save.connect(delete, sender=Seek)
    try:
        seek(alice, 2)
    finally:
        pre_save.disconnect(delete, sender=Seek)
    assert (Seek.objects.get(pk=row.pk).table_id, Seek.objects.get().number) == (None, 2)


def test_bots_take_the_seats_of_a_table_when_its_person_says_at_last(alice: User, bob: User) -> None:
    seek(alice, variant="blockyou-3", wait=15)
    run_jobs()
    (first,) = seated(alice)
    seek(alice, variant="blockyou-3", wait=0)
    run_jobs()
    (second,) = seated(alice)
    assert (fresh(first).status, second.fill_at) == (Status.CANCELLED, None)
    # With somebody else there it is not the person's alone to give up.
    join_game(bob, second.slug)
    seek(alice, variant="blockyou-3", wait=5)
    run_jobs()
    assert seated(alice) == [second]
    assert fresh(second).status == Status.OPEN


def test_a_site_without_ratings_has_one_seek_of_a_kind_and_calls_no_game_rated(
    alice: User, program: Callable[..., Program], settings: Settings
) -> None:
    seek(alice, 1, is_rated=True)
    settings.RATINGS = False
    seek(alice, 3, is_rated=False)
    seek(alice, 2, is_rated=True)
    assert [row.number for row in Seek.objects.all()] == [2]
    (row,) = program(alice).get("seeks").json()
    assert row["rated"] is False
    assert "not rated" in seek_rows(alice, timezone.now())[0].line


def test_a_button_of_an_old_page_sets_no_seek_that_was_ended(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    row = seek(alice, 3)
    form = read(browser.get("/lobby/")).find("form", action="/seeks/")
    sent = {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}
    assert browser.post("/seeks/", {**sent, "number": "2"}).status_code == 302
    assert Seek.objects.get().number == 2
    drop_seek(alice, row.pk)
    assert browser.post("/seeks/", {**sent, "number": "1"}).status_code == 404
    assert not Seek.objects.exists()


def test_tables_with_bots_hide_no_other_from_whoever_wants_none(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeks, "TABLES_LOOKED_AT", 1)
    host = person("host")
    open_table(host, ME, bot(), OPEN, variant="blockyou-3", time=PACES["normal"], is_rated=False, now=timezone.now())
    wanted = table(bob, variant="blockyou-3")
    row = seek(alice, variant="blockyou-3")
    assert seat_seeker(row.pk) == wanted


@pytest.mark.parametrize("why", ["unwelcome", "full"])
def test_tables_that_are_not_for_a_person_are_not_tried_one_by_one(
    why: str, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = [person(f"host{number}") for number in range(8)]
    if why == "unwelcome":
        User.objects.filter(pk__in=[host.pk for host in hosts]).update(invited_by=Welcome.FOLLOWED)
    else:
        monkeypatch.setattr("games.table.seats.MAX_GAMES", 1)
        for each in (alice, bob):
            open_table(each, ME, OPEN, variant="duo", is_public=False, now=timezone.now())
    costs = []
    for each, number in ((alice, 2), (bob, 8)):
        row = seek(each)
        Game.objects.filter(variant="junior").delete()
        for host in hosts[:number]:
            table(User.objects.get(pk=host.pk))
        with CaptureQueriesContext(connection) as queries:
            seat_seeker(row.pk)
        costs.append(len(queries))
        assert all(game.creator_id == each.pk for game in seated(each))
        Seek.objects.all().delete()
    assert costs[1] <= costs[0] + 1


def test_until_when_it_rests_is_told_of_nothing_but_a_table_that_was_left(alice: User) -> None:
    seek(alice)
    Seek.objects.update(rests_until=timezone.now() - timedelta(days=1), set_at=timezone.now() - timedelta(days=30))
    User.objects.filter(pk=alice.pk).update(invited_by=Welcome.NO_ONE)
    (state,) = seeks_of(User.objects.get(pk=alice.pk), timezone.now())
    assert (state.rest, state.until) == ("no-one", None)
