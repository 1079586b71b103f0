"""Games that end move the ratings of their people at once, and the fit of all games takes the place of that."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings import rate_family as module
from games.actions.ratings.rate_family import rate_family
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.audit.ratings import faults_of_ratings
from games.base.rated import (
    LAST_PLACE,
    ended_games,
    locked_families,
    move_people,
    place_of,
    rated_games,
    ratings_due,
    write_ratings,
)
from games.base.setup import check_setup
from games.errors import BadRequest
from games.models import Player, PlayerRating, RatedFamily, RatedSeat, Status
from games.pages.people.ratings import ranking_page
from games.ratings.fit import Fitted
from games.ratings.scale import NEWCOMER, Strength, Who
from games.tasks import refit_ratings, refits_due
from tests.games.play.pages import read
from tests.games.ratings.games import lost
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, play_out, running, setup

pytestmark = pytest.mark.django_db


def rating(user: User, family: str = "duo") -> PlayerRating:
    return PlayerRating.objects.get(user=user, family=family)


def test_the_winner_rises_and_the_other_falls(alice: User, bob: User) -> None:
    game = lost(alice, bob)

    assert game.is_rated
    assert rating(alice).points < NEWCOMER.points < rating(bob).points
    assert rating(bob).deviation < NEWCOMER.deviation
    assert [seat.expected for seat in RatedSeat.objects.order_by("player__seat")] == pytest.approx([1.5, 1.5])
    assert {each.games for each in PlayerRating.objects.all()} == {1}


@pytest.mark.parametrize(
    ("terms", "is_rated"),
    [
        ({}, True),
        ({"is_public": False}, False),
        ({"is_public": False, "is_rated": True}, True),
        ({"is_rated": False}, False),
        ({"allows_advice": True}, False),
    ],
)
def test_public_games_are_rated_and_private_ones_by_wish(
    alice: User, bob: User, terms: dict[str, bool], is_rated: bool
) -> None:
    assert lost(alice, bob, **terms).is_rated is is_rated
    assert PlayerRating.objects.exists() is is_rated


def test_one_person_against_bots_is_not_rated(alice: User) -> None:
    assert not open_table(alice, ME, bot(), variant="duo", is_rated=True).is_rated


@pytest.mark.parametrize(("others", "is_rated"), [(0, False), (1, True), (2, True)])
def test_a_table_whose_seats_bots_take_is_rated_where_two_people_sit_there(
    others: int, is_rated: bool, alice: User, bob: User, carol: User
) -> None:
    game = open_table(alice, ME, OPEN, OPEN, OPEN, variant="blockyou-4")
    for each in (bob, carol)[:others]:
        join_game(each, game.slug, now=NOON)
    assert fresh(game).is_rated
    fill_seats(alice, game.slug, bot="sage-4", now=NOON)
    assert fresh(game).is_rated is is_rated
    for each in (alice, bob, carol)[: others + 1]:
        resign(each, game.slug, now=NOON)
    if fresh(game).status == Status.RUNNING:
        # Several bots play on.
        play_out(fresh(game))

    people = set(PlayerRating.objects.values_list("user", flat=True))
    assert people == ({each.pk for each in (alice, bob, carol)[: others + 1]} if is_rated else set())


def test_a_game_of_one_member_with_guests_and_bots_counts_for_nobody(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    bob.refresh_from_db()
    game = open_table(alice, ME, OPEN, bot("sage-4"), variant="blockyou-3")
    join_game(bob, game.slug, now=NOON)
    for each in (bob, alice):
        resign(each, game.slug, now=NOON)

    assert not PlayerRating.objects.exists()
    User.objects.filter(pk=bob.pk).update(is_guest=False)
    rate_family("blockyou-3", now=NOON)
    assert set(PlayerRating.objects.values_list("user", flat=True)) == {alice.pk, bob.pk}
    assert list(faults_of_ratings()) == []


def test_nothing_is_rated_where_the_host_does_not_want_it(alice: User, bob: User, settings: Any) -> None:
    settings.RATINGS = False

    assert not lost(alice, bob).is_rated
    assert ratings_due(NOON) == []


@pytest.mark.parametrize(
    ("deviation", "is_listed"), [(99.99, True), (100.0, True), (100.01, False), (NEWCOMER.deviation, False)]
)
@pytest.mark.parametrize("before", [None, 80.0, 120.0])
def test_who_is_known_to_within_100_points_is_listed_and_who_is_not_is_provisional(
    before: float | None, deviation: float, is_listed: bool, alice: User, client: Client
) -> None:
    row = PlayerRating(user=alice, family="duo", games=9)
    if before is not None:
        row.strength = Strength(1600, before)
        write_ratings([row])
        row = PlayerRating.objects.get(user=alice)
    row.strength = Strength(1600, deviation)
    write_ratings([row])

    assert (rating(alice).is_listed, rating(alice).deviation) == (is_listed, deviation)
    course = read(client.get("/players/alice/ratings/duo/")).text
    assert ("The rating is provisional" in course) is not is_listed
    assert [row.rank for row in ranking_page("duo", alice).rows] == [int(is_listed)]


def test_the_game_that_says_enough_brings_both_on_the_list(alice: User, bob: User) -> None:
    # Among many; how strong two people are together stays unknown, whatever they play.
    RatedFamily.objects.create(family="duo", people=1000)
    for each in (alice, bob):
        row = PlayerRating(user=each, family="duo", games=9)
        row.strength = Strength(1500, 101)
        row.save()
    assert [rating(each).is_listed for each in (alice, bob)] == [False, False]
    lost(alice, bob)

    assert [rating(each).is_listed for each in (alice, bob)] == [True, True]
    assert 90 < rating(alice).deviation < 100
    assert [row.rank for row in ranking_page("duo", alice).rows] == [1, 2]


def test_a_fit_lists_who_it_knows_to_within_100_points(alice: User, bob: User) -> None:
    lost(alice, bob)
    found: dict[Who, Strength] = {alice.pk: Strength(1600, 100.0), bob.pk: Strength(1700, 100.01)}

    def think(_fit: object, _tables: object, **_pinned: object) -> Fitted:
        return Fitted(ratings=found, seats={})

    rate_family("duo", now=NOON, think=think)
    assert [(row.username, row.rank) for row in ranking_page("duo", alice).rows] == [("alice", 1), ("bob", 0)]


def test_no_engine_suggests_moves_in_a_rated_game() -> None:
    with pytest.raises(BadRequest) as refused:
        check_setup(setup(ME, OPEN, variant="duo", is_rated=True, allows_advice=True))
    assert refused.value.field == "rated"


def test_a_leaver_is_last_and_the_others_are_rated_among_themselves(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    resign(alice, game.slug, now=NOON)
    resign(bob, game.slug, now=NOON)
    first, second, third = (rating(user, "blockyou-3").points for user in (carol, bob, alice))

    assert first > second >= third
    assert third < NEWCOMER.points


def test_a_guest_counts_once_the_account_is_claimed(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    bob.refresh_from_db()
    lost(alice, bob)
    assert not PlayerRating.objects.exists()

    User.objects.filter(pk=bob.pk).update(is_guest=False)
    rate_family("duo", now=NOON)
    assert rating(bob).points > rating(alice).points
    assert {seat.is_new for seat in RatedSeat.objects.all()} == {False}
    assert list(faults_of_ratings()) == []


def test_a_measured_bot_among_people_counts(alice: User, bob: User) -> None:
    game = open_table(alice, ME, OPEN, bot("sage-4"), variant="blockyou-3")
    assert fresh(game).is_rated


def test_the_fit_takes_the_place_of_the_steps_and_the_same_games_give_the_same(alice: User, bob: User) -> None:
    for _ in range(3):
        lost(alice, bob)
    lost(bob, alice)
    assert list(faults_of_ratings()) == []
    assert RatedSeat.objects.filter(is_new=True).count() == 8

    rate_family("duo", now=NOON)
    first = list(PlayerRating.objects.order_by("user").values_list("user", "points", "deviation", "games"))
    rate_family("duo", now=NOON)
    assert list(PlayerRating.objects.order_by("user").values_list("user", "points", "deviation", "games")) == first
    assert not RatedSeat.objects.filter(is_new=True).exists()
    assert list(faults_of_ratings()) == []

    lost(alice, bob)
    assert list(faults_of_ratings()) == []
    assert rating(bob).points > {who: points for who, points, *_ in first}[bob.pk]


def test_a_game_that_ends_while_the_fit_is_under_way_moves_the_new_ratings(alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    games = rated_games

    def read_and_play(family: str) -> list:
        found = list(games(family))
        lost(carol, bob)
        return found

    with patch.object(module, "rated_games", read_and_play):
        rate_family("duo", now=NOON)

    assert rating(bob).games == 2
    assert rating(carol).points < NEWCOMER.points
    assert RatedSeat.objects.filter(is_new=True).count() == 2
    assert list(faults_of_ratings()) == []


def test_a_fit_that_another_has_overtaken_stores_nothing(alice: User, bob: User) -> None:
    lost(alice, bob)

    def read_and_be_overtaken(family: str) -> list:
        found = list(rated_games(family))
        lost(alice, bob)
        with patch.object(module, "rated_games", rated_games):
            rate_family(family, now=NOON)
        return found

    with patch.object(module, "rated_games", read_and_be_overtaken):
        rate_family("duo", now=NOON)

    assert rating(bob).games == 2
    assert list(faults_of_ratings()) == []


def test_a_fit_that_breaks_off_leaves_the_old_ratings_whole(alice: User, bob: User) -> None:
    lost(alice, bob)
    before = list(PlayerRating.objects.order_by("pk").values())
    with patch.object(module, "replace_ratings", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        rate_family("duo", now=NOON)

    assert list(PlayerRating.objects.order_by("pk").values()) == before
    assert RatedFamily.objects.get(pk="duo").fitted_at is None


def test_a_closed_account_goes_and_its_games_keep_counting_for_the_others(alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    lost(bob, carol)
    rate_family("duo", now=NOON)
    before = rating(carol).points
    close_account(alice)

    assert not PlayerRating.objects.filter(user=alice).exists()
    assert not RatedSeat.objects.filter(player__user=alice).exists()
    assert list(faults_of_ratings()) == []
    rate_family("duo", now=NOON)
    assert rating(carol).points == before
    assert set(PlayerRating.objects.values_list("user", flat=True)) == {bob.pk, carol.pk}


def test_a_family_is_fitted_once_a_night_where_games_have_ended(alice: User, bob: User) -> None:
    assert ratings_due(NOON) == []
    lost(alice, bob)
    assert ratings_due(NOON) == ["duo"]
    ((number, day),) = refits_due(NOON)
    rate_family("duo", now=NOON)
    assert ratings_due(NOON) == []

    lost(alice, bob)
    assert ratings_due(NOON + timedelta(hours=14)) == []
    assert ratings_due(NOON + timedelta(hours=16)) == ["duo"]
    assert refit_ratings.call(number, day)
    assert not refit_ratings.call(number, day)


def test_nothing_new_is_fitted_in_a_new_month_alone(alice: User, bob: User) -> None:
    lost(alice, bob)
    rate_family("duo", now=NOON)

    assert ratings_due(NOON + timedelta(days=2)) == []
    assert ratings_due(NOON + timedelta(days=40)) == ["duo"]


def test_the_audit_finds_a_rating_that_is_amiss_and_mends_it(alice: User, bob: User) -> None:
    lost(alice, bob)
    call_command("rate")
    call_command("audit_games")
    PlayerRating.objects.filter(user=bob).update(points=1900)
    with pytest.raises(CommandError):
        call_command("audit_games")
    call_command("audit_games", repair=True)
    call_command("audit_games")
    assert rating(bob).points < 1700


def test_who_was_away_at_the_end_is_last_wherever_the_stand_in_has_brought_the_seat() -> None:
    assert [place_of(*each) for each in [(1, 0), (2, 1), (1, 2), (None, 0)]] == [1, 2, LAST_PLACE, LAST_PLACE]


def test_a_stand_in_wins_nothing_for_who_was_away(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, stand_in="greedy")
    Player.objects.filter(game=game).update(ended_at=NOON, variant="blockyou-3", place=2)
    Player.objects.filter(game=game, user=alice).update(place=1, missed=2)
    (ended,) = ended_games(Player.objects.filter(game=game))
    strengths = {alice: PlayerRating(user=alice, family="blockyou-3", points=1500, deviation=300)}
    known = {("blockyou-3", user.pk): each for user, each in strengths.items()}
    rows = move_people(ended.variant, ended.seats, locked_families(["blockyou-3"]), known)

    assert strengths[alice].points < 1500
    assert [row.place for row in rows] == [3, 1, 1]


def test_a_rematch_of_a_rated_private_game_is_rated(alice: User, bob: User) -> None:
    game = lost(alice, bob, is_public=False, is_rated=True)
    assert fresh(open_rematch(alice, game.slug)).is_rated


def test_who_closes_an_account_loses_the_game_that_goes_on_and_has_no_rating(alice: User, bob: User) -> None:
    running(alice, bob, variant="duo")
    close_account(alice)

    assert rating(bob).points > NEWCOMER.points
    assert list(PlayerRating.objects.values_list("user", flat=True)) == [bob.pk]
    assert list(RatedSeat.objects.values_list("player__user", flat=True)) == [bob.pk]
    assert list(faults_of_ratings()) == []


def test_a_fit_takes_away_what_an_account_kept_that_was_closed_while_ratings_were_switched_on(
    alice: User, bob: User
) -> None:
    running(alice, bob, variant="duo")
    close_account(alice)
    seat = Player.objects.get(user=alice)
    RatedSeat.objects.create(player=seat, family="duo", is_new=False)
    rate_family("duo", now=NOON)

    assert list(RatedSeat.objects.values_list("player__user", flat=True)) == [bob.pk]


def test_a_closed_account_gets_no_rating_by_a_game_that_the_others_end_later(
    alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol, variant="blockyou-3", is_rated=True)
    close_account(carol)
    resign(alice, game.slug)
    assert fresh(game).is_rated
    family = RatedSeat.objects.values_list("family", flat=True).first()
    assert {row.user_id for row in PlayerRating.objects.all()} == {alice.pk, bob.pk}
    assert set(RatedSeat.objects.values_list("player__user", flat=True)) == {alice.pk, bob.pk}
    rate_family(str(family), now=NOON)
    assert {row.user_id for row in PlayerRating.objects.all()} == {alice.pk, bob.pk}


def test_a_guest_who_closes_the_account_counts_for_nobody_then_either(alice: User, bob: User, carol: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True)
    bob.refresh_from_db()
    lost(alice, bob)
    three = running(bob, carol, alice, variant="blockyou-3")
    for person in (bob, carol):
        resign(person, three.slug, now=NOON)
    running_still = running(bob, carol, alice, variant="blockyou-3")
    close_account(bob)
    resign(carol, running_still.slug, now=NOON)
    for family in ("duo", "blockyou-3"):
        rate_family(family, now=NOON)

    assert not PlayerRating.objects.filter(family="duo").exists()
    assert {(each.user_id, each.games) for each in PlayerRating.objects.all()} == {(alice.pk, 2), (carol.pk, 2)}
    # Nothing has come to count since those games ended.
    assert {(seat.others, seat.place is None) for seat in RatedSeat.objects.all()} == {(1, False)}
    assert list(faults_of_ratings()) == []
