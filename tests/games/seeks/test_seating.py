"""A standing seek keeps up to so many games of a kind under way: who is seated where, and when nobody is."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import erasure
from accounts.models import User, Welcome
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.seeks.drop_seek import drop_seek
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.seeks.set_seek import set_seek
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.fill_seats import fill_when_due
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.background.sweep import sweep
from games.clock import PACES
from games.models import Companion, Game, Holiday, Player, PlayerRating, Reason, Seek, Status
from games.queries.tables.pairing import EACH
from games.queries.tables.seeks import seeks_of
from games.rules.variants import get_variant
from games.table.seeking import LOOKS_EACH, LOOKS_SELDOM, RESTS
from tests.conftest import person
from tests.games.tables import ME, OPEN, bot, fresh, open_table
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def seek(user: User, number: int = 1, **kind: Any) -> Seek:
    asked = {"variant": "junior", "pace": "normal", "is_rated": False, "number": number, **kind}
    return set_seek(user, **asked)


def seated(user: User, *, status: str | None = None) -> list[Game]:
    """Return the tables at which a person sits that are not over."""
    found = Game.objects.filter(players__user=user, players__is_going=True)
    return list((found.filter(status=status) if status else found).order_by("pk"))


def table(host: User, variant: str = "junior", **terms: Any) -> Game:
    free = [OPEN] * (get_variant(variant).seats - 1)
    asked = {"variant": variant, "time": PACES["normal"], "is_rated": False, "now": timezone.now(), **terms}
    return open_table(host, ME, *free, **asked)


def rate(user: User, points: float) -> None:
    PlayerRating.objects.create(user=user, family="junior", points=points, deviation=60, games=20, is_listed=True)


def out_of_time(user: User, times: int, of: int = 10) -> None:
    """Give a person so many games that have ended, some of which they lost by time."""
    host = person(f"host of {user.username}")
    for number in range(of):
        game = Game.objects.create(
            creator=host, variant="duo", status=Status.FINISHED, created_at=timezone.now(), changed_at=timezone.now()
        )
        ended = timezone.now() - timedelta(days=number + 1)
        retired = Reason.OUT_OF_TIME if number < times else ""
        Player.objects.create(game=game, seat=0, user=user, is_going=False, ended_at=ended, retired=retired)


def people_at(game: Game) -> Collection[str]:
    return {player.user.username for player in fresh(game).players.all() if player.user}


def test_two_who_want_the_same_are_seated_together_until_each_has_as_many_games_as_wanted(
    alice: User, bob: User
) -> None:
    seek(alice, 3)
    seek(bob, 2)
    run_jobs()
    assert [people_at(game) for game in seated(bob, status=Status.RUNNING)] == [{"alice", "bob"}] * 2
    assert len(seated(alice, status=Status.RUNNING)) == 2
    (waiting,) = seated(alice, status=Status.OPEN)
    assert (waiting.is_public, waiting.is_listed, waiting.time_control, waiting.is_rated) == (
        *(True, True),
        *(PACES["normal"], False),
    )


def test_a_table_that_waits_is_given_up_once_it_is_one_too_many(alice: User, bob: User) -> None:
    for lessen in (
        lambda: seek(alice, 1),
        lambda: drop_seek(alice, Seek.objects.get(person=alice).pk),
        lambda: join_game(alice, table(bob, is_public=False).slug, token=Game.objects.latest("pk").invite_token),
    ):
        Game.objects.all().delete()
        Seek.objects.all().delete()
        seek(alice, 2)
        join_game(alice, table(bob, is_public=False).slug, token=Game.objects.latest("pk").invite_token)
        run_jobs()
        (own,) = seated(alice, status=Status.OPEN)
        lessen()
        run_jobs()
        assert fresh(own).status == Status.CANCELLED


def test_a_table_of_four_fills_with_people_who_want_it() -> None:
    people = [person(name) for name in ("anna", "bert", "carl", "dora")]
    for each in people:
        seek(each, variant="blockyou-4")
    run_jobs()
    assert [people_at(game) for game in Game.objects.all()] == [{"anna", "bert", "carl", "dora"}]
    assert Game.objects.get().status == Status.RUNNING


def test_when_a_game_ends_the_next_is_found(alice: User, bob: User) -> None:
    for each in (alice, bob):
        seek(each)
    run_jobs()
    (first,) = seated(alice)
    resign(alice, first.slug)
    run_jobs()
    (second,) = seated(alice)
    assert (second.pk != first.pk, second.status, people_at(second)) == (True, Status.RUNNING, {"alice", "bob"})


def test_who_wants_one_is_seated_where_somebody_else_has_opened_a_table(alice: User, bob: User) -> None:
    seek(alice)
    run_jobs()
    (own,) = seated(alice)
    game = table(bob)
    run_jobs()
    assert fresh(game).status == Status.RUNNING
    assert people_at(game) == {"alice", "bob"}
    # The one that the site had opened for her is not waited at any more.
    assert fresh(own).status == Status.CANCELLED


def test_the_table_of_a_seek_is_found_by_who_plays_anyone(alice: User, bob: User, log_in: Any) -> None:
    seek(alice, variant="blockyou-2")
    run_jobs()
    answer = log_in(bob).post("/play-anyone/")
    (game,) = seated(alice)
    assert answer.url == f"/games/{game.slug}/"
    assert game.status == Status.RUNNING


@pytest.mark.parametrize(
    "terms",
    [
        {"variant": "duo"},
        {"time": PACES["slow"]},
        {"is_rated": True},
        {"is_public": False},
        {"declares_passes": True},
        {"fill_soon": 5, "fill_bot": "sage-4"},
    ],
)
def test_nobody_is_seated_at_a_table_of_another_kind(terms: Any, alice: User, bob: User) -> None:
    game = table(bob, **terms)
    seek(alice)
    run_jobs()
    assert people_at(game) == {"bob"}
    assert [each.status for each in seated(alice)] == [Status.OPEN]


def test_bots_come_after_the_time_that_was_chosen(alice: User) -> None:
    seek(alice, variant="blockyou-4", wait=15)
    run_jobs()
    (game,) = seated(alice)
    assert game.fill_at == game.created_at + timedelta(minutes=15)
    assert fill_when_due(game.slug, now=game.fill_at)
    assert fresh(game).status == Status.RUNNING


def test_a_game_that_is_left_to_bots_is_one_of_those_wanted_though_it_is_not_rated(alice: User) -> None:
    seek(alice, is_rated=True, wait=15)
    run_jobs()
    (game,) = seated(alice)
    assert game.is_rated
    assert fill_when_due(game.slug, now=game.fill_at or timezone.now())
    run_jobs()
    assert [(each.pk, each.is_rated) for each in seated(alice)] == [(game.pk, False)]
    assert [(state.running, state.waiting) for state in seeks_of(alice, timezone.now())] == [(1, 0)]


def test_a_public_game_against_bots_alone_that_was_opened_beside_a_seek_is_none_of_those_wanted(alice: User) -> None:
    seek(alice, is_rated=True)
    run_jobs()
    open_table(alice, ME, bot(), variant="junior", time=PACES["normal"], is_rated=False, now=timezone.now())
    assert [(state.running, state.waiting) for state in seeks_of(alice, timezone.now())] == [(0, 1)]


def test_whoever_chose_when_bots_come_waits_no_longer_at_the_table_of_another(alice: User, bob: User) -> None:
    seek(bob, variant="blockyou-4", wait=30)
    run_jobs()
    seek(alice, variant="blockyou-4", wait=5)
    run_jobs()
    assert [people_at(game) for game in seated(alice)] == [{"alice"}]


def test_a_rated_table_for_two_is_freestyle_and_found_by_others_who_want_it(alice: User, bob: User) -> None:
    for each in (alice, bob):
        seek(each, variant="duo", is_rated=True)
    run_jobs()
    (game,) = seated(alice)
    assert (game.variant.count(":"), game.is_rated, game.status) == (2, True, Status.RUNNING)
    assert seeks_of(alice, timezone.now())[0].running == 1


def test_the_strength_of_the_others_matters_less_the_longer_a_table_has_waited(alice: User, bob: User) -> None:
    for each, points in ((alice, 1400), (bob, 1900)):
        rate(each, points)
    game, now = table(bob), timezone.now()
    forget_jobs()
    own = Seek.objects.create(
        person=alice, variant="junior", pace="normal", is_rated=False, number=1, set_at=now, due_at=now
    )
    opened = seat_seeker(own.pk, now=now)
    assert opened is not None
    assert people_at(opened) == {"alice"}
    assert seat_seeker(own.pk, now=now + 3 * EACH) is None
    assert seat_seeker(own.pk, now=now + 4 * EACH) == game
    assert people_at(game) == {"alice", "bob"}
    assert fresh(opened).status == Status.CANCELLED


def test_so_does_how_reliable_they_are(alice: User, bob: User) -> None:
    out_of_time(alice, 0)
    out_of_time(bob, 9)
    game, now = table(bob), timezone.now()
    forget_jobs()
    own = Seek.objects.create(
        person=alice, variant="junior", pace="normal", is_rated=False, number=1, set_at=now, due_at=now
    )
    opened = seat_seeker(own.pk, now=now)
    assert opened is not None
    assert people_at(opened) == {"alice"}
    assert seat_seeker(own.pk, now=now + 8 * EACH) == game


def test_of_two_who_wait_apart_the_later_one_moves(alice: User, bob: User) -> None:
    for each, points in ((alice, 1400), (bob, 1900)):
        rate(each, points)
        seek(each)
        run_jobs()
    (first,), (second,) = seated(alice), seated(bob)
    assert first != second
    later = timezone.now() + 6 * EACH
    keys = {row.person_id: row.pk for row in Seek.objects.all()}
    assert seat_seeker(keys[alice.pk], now=later) is None
    assert seat_seeker(keys[bob.pk], now=later) == first
    assert (fresh(second).status, people_at(first)) == (Status.CANCELLED, {"alice", "bob"})


def test_no_table_is_given_up_at_which_somebody_else_sits(alice: User, bob: User, carol: User) -> None:
    seek(alice, variant="blockyou-4")
    run_jobs()
    (own,) = seated(alice)
    join_game(carol, own.slug)
    table(bob, variant="blockyou-4")
    run_jobs()
    assert people_at(own) == {"alice", "carol"}
    assert fresh(own).status == Status.OPEN


def test_who_is_kept_apart_is_not_seated_together(alice: User, bob: User) -> None:
    block_person(alice, "bob")
    for each in (alice, bob):
        seek(User.objects.get(pk=each.pk))
    run_jobs()
    assert [people_at(game) for game in Game.objects.order_by("pk")] == [{"alice"}, {"bob"}]


def test_each_side_has_to_let_the_other_invite_them(alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(invited_by=Welcome.PLAYED)
    for each in (alice, bob):
        seek(User.objects.get(pk=each.pk))
    run_jobs()
    assert [people_at(game) for game in Game.objects.order_by("pk")] == [{"alice"}, {"bob"}]
    for one, other in ((alice, bob), (bob, alice)):
        Companion.objects.create(user=one, other=other, other_key=other.name_key, games=1, last_at=timezone.now())
    for row in Seek.objects.order_by("-pk"):
        seat_seeker(row.pk)
    assert [people_at(game) for game in Game.objects.filter(status=Status.RUNNING)] == [{"alice", "bob"}]


def test_who_leaves_a_table_is_not_seated_again_for_a_day(alice: User, bob: User) -> None:
    game = table(bob, variant="blockyou-4")
    seek(alice, variant="blockyou-4")
    run_jobs()
    assert people_at(game) == {"alice", "bob"}
    leave_game(alice, game.slug)
    run_jobs()
    (row,) = Seek.objects.all()
    assert seat_seeker(row.pk) is None
    assert seated(alice) == []
    assert seeks_of(alice, timezone.now())[0].rest == "left"
    assert seat_seeker(row.pk, now=timezone.now() + RESTS) == game


def test_who_cancels_the_table_that_was_opened_for_them_has_no_other_opened_until_they_say_so(alice: User) -> None:
    seek(alice)
    run_jobs()
    cancel_game(alice, seated(alice)[0].slug)
    run_jobs()
    assert seated(alice) == []
    seek(alice)
    run_jobs()
    assert len(seated(alice)) == 1


def test_who_ran_out_of_time_is_not_seated_again_until_they_say_so(alice: User) -> None:
    seek(alice)
    Seek.objects.update(set_at=timezone.now() - timedelta(days=30))
    out_of_time(alice, 1)
    run_jobs()
    assert seated(alice) == []
    assert seeks_of(alice, timezone.now())[0].rest == "late"
    seek(alice)
    run_jobs()
    assert len(seated(alice)) == 1


@pytest.mark.parametrize("rest", ["holiday", "no-one"])
def test_nobody_is_seated_on_holiday_or_when_no_one_may_invite_them(rest: str, alice: User) -> None:
    seek(alice)
    now = timezone.now()
    if rest == "holiday":
        Holiday.objects.create(user=alice, begins_at=now - timedelta(days=1), ends_at=now + timedelta(days=1))
    else:
        User.objects.filter(pk=alice.pk).update(invited_by=Welcome.NO_ONE)
    run_jobs()
    assert seated(alice) == []
    assert seeks_of(User.objects.get(pk=alice.pk), now)[0].rest == rest


@pytest.mark.parametrize("change", [{"is_active": False}, {"suspended_until": timezone.now() + timedelta(days=9)}])
def test_nobody_is_seated_whose_account_is_closed_or_suspended(change: dict[str, Any], alice: User) -> None:
    seek(alice)
    User.objects.filter(pk=alice.pk).update(**change)
    run_jobs()
    assert not Game.objects.exists()
    # Nor is it asked for again every few seconds.
    assert sweep(timezone.now() + timedelta(minutes=1)).seeks == 0


def test_a_seek_that_is_ended_seats_nobody_and_gives_up_the_table_that_waits(alice: User, bob: User) -> None:
    for each in (alice, bob):
        seek(each, 2)
    run_jobs()
    drop_seek(alice, Seek.objects.get(person=alice).pk)
    (game,) = seated(bob, status=Status.RUNNING)[:1]
    resign(bob, game.slug)
    run_jobs()
    assert len(seated(alice, status=Status.RUNNING)) == 1
    assert seated(alice, status=Status.OPEN) == []


def test_no_more_than_one_table_waits_for_a_seek_and_three_for_a_person(alice: User) -> None:
    for variant in ("junior", "duo", "trigon-2", "classic-2"):
        seek(alice, 5, variant=variant)
    run_jobs()
    assert sorted(game.variant for game in seated(alice)) == ["duo", "junior", "trigon-2"]


def test_a_lost_job_is_asked_for_again_and_one_that_comes_twice_seats_once(alice: User) -> None:
    row = seek(alice)
    assert jobs() == [("seat_for_seek", [row.pk, 0])]
    forget_jobs()
    assert sweep(timezone.now()).seeks == 0
    assert sweep(timezone.now() + timedelta(seconds=10)).seeks == 1
    assert seat_seeker(row.pk) is not None
    assert seat_seeker(row.pk) is None
    run_jobs()
    assert len(seated(alice)) == 1
    # It is looked at again later, as long as it waits, and then seldom.
    assert sweep(timezone.now() + timedelta(minutes=1)).seeks == 0
    assert sweep(timezone.now() + LOOKS_EACH + LOOKS_SELDOM + timedelta(minutes=1)).seeks == 1


def test_a_closed_account_has_no_seek_and_no_table(alice: User, bob: User) -> None:
    seek(alice)
    run_jobs()
    erasure.close_account(alice)
    run_jobs()
    assert not Seek.objects.exists()
    assert not Game.objects.filter(status=Status.OPEN).exists()
