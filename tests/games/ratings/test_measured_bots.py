"""Bots are as strong, in what ratings make of a game, as they were measured on the very board that was played."""

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings.rate_family import rate_family
from games.actions.tables.join_game import join_game
from games.audit.ratings import faults_of_ratings
from games.models import Game, PlayerRating, RatedFamily, RatedSeat
from games.ratings.families import FAMILIES, measured_board, rating_family
from games.ratings.fit import fit_ratings
from games.ratings.scale import NEWCOMER, RatedPlace, RatedTable, Strength
from games.ratings.step import expected_share
from games.roster.measured import measured_bots
from games.rules.variants import VARIANTS
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, play_out

pytestmark = pytest.mark.django_db


def lost_to(name: str, alice: User, bob: User, variant: str) -> Game:
    """Return a game of two people and bots of that name, which first the one and then the other has resigned."""
    bots = [bot(name)] * (VARIANTS[variant.partition(":")[0]].seats - 2)
    game = open_table(alice, ME, OPEN, *bots, variant=variant)
    join_game(bob, game.slug, now=NOON)
    for person in (alice, bob):
        resign(person, game.slug, now=NOON)
    # Two bots play on to the end, one has won.
    return fresh(game) if len(bots) == 1 else play_out(fresh(game))


def measured(name: str, variant: str) -> float:
    return float(measured_bots()[variant][name]["rating"])


@pytest.mark.parametrize("variant", ["codingame-3", "codingame-4", "trigon-3", "trigon-4", "blockyou-3"])
def test_a_bot_is_as_strong_as_it_was_measured_on_the_board_that_is_played(
    alice: User, bob: User, variant: str
) -> None:
    assert lost_to("sage-6", alice, bob, variant).is_rated
    bots = VARIANTS[variant].seats - 2
    ahead = 1 - expected_share(NEWCOMER, Strength(measured("sage-6", variant), 0))
    seats = list(RatedSeat.objects.order_by("player__seat"))

    assert [seat.expected for seat in seats] == pytest.approx([1.5 + bots * ahead] * 2)
    assert [seat.others for seat in seats] == [bots + 1] * 2


def test_the_fit_takes_the_same_bot_for_another_one_on_each_board_of_a_family(alice: User, bob: User) -> None:
    boards = ["codingame-3", "codingame-4"]
    tables = []
    for board in boards:
        game = lost_to("sage-6", alice, bob, board)
        places = {player.seat: (player.user_id or board, player.place or 9) for player in game.players.all()}
        tables.append(
            RatedTable(board, 0, tuple(RatedPlace(who, seat, place) for seat, (who, place) in places.items()))
        )
    assert list(faults_of_ratings()) == []
    rate_family("codingame", now=NOON)
    expected = fit_ratings(tables, pinned={board: measured("sage-6", board) for board in boards}).ratings
    found = {row.user_id: row.strength for row in PlayerRating.objects.all()}

    assert found == {person.pk: expected[person.pk] for person in (alice, bob)}
    assert list(faults_of_ratings()) == []


def test_a_bot_counts_for_nobody_on_a_board_of_another_size_than_it_was_measured_on(alice: User, bob: User) -> None:
    assert lost_to("sage-6", alice, bob, "codingame-3:9:7").is_rated
    assert [seat.others for seat in RatedSeat.objects.all()] == [1, 1]
    rate_family("codingame", now=NOON)
    assert RatedFamily.objects.get(pk="codingame").people == 2
    assert list(faults_of_ratings()) == []


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        ("codingame-2", "codingame-2"),
        ("codingame-2:13:42", "codingame-2"),
        ("codingame-2:12:42", ""),
        ("duo:N:W", "duo"),
        ("trigon-3", "trigon-3"),
    ],
)
def test_the_pieces_that_were_drawn_or_named_make_no_other_board(variant: str, board: str) -> None:
    assert measured_board(variant) == board


def test_a_bot_was_measured_on_every_board_of_each_family() -> None:
    """So no board's bots count for nobody because it was forgotten."""
    assert {rating_family(board) for board in measured_bots()} == set(FAMILIES)
    assert set(measured_bots()) == set(VARIANTS)
