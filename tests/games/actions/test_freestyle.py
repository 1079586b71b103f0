"""Freestyle: who opens the table names the opening pieces of both sides, the other chooses the side by sitting down."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings.rate_family import rate_family
from games.actions.tables.choose_seat import choose_seat
from games.actions.tables.edit_table import edit_table
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.audit.checks import faults
from games.audit.ratings import faults_of_ratings
from games.base.terms import TableTerms
from games.errors import BadRequest, Refused, SeatTaken
from games.models import Game, RatedFamily, Status
from games.queries.tables.table import table_state
from games.roster import sides
from games.roster.sides import better_seat, even_pairs, measured_sides
from games.rules import Position, get_variant
from games.rules.variants import NAMED
from tests.games.tables import ME, NOON, OPEN, any_placement, bot, fresh, invited, open_table, place, play_out, rows

pytestmark = pytest.mark.django_db

NAMED_DUO = "duo:I3:F"


def table(host: User, *others: object, variant: str = NAMED_DUO, **terms: object) -> Game:
    return open_table(host, ME, *(others or (OPEN,)), variant=variant, **terms)  # type: ignore[arg-type]


def sides_of(game: Game) -> list[str]:
    return [player.user.username if player.user else player.bot for player in fresh(game).players.order_by("seat")]


@pytest.mark.parametrize(
    ("colour", "seated"), [("purple", ["bob", "alice"]), ("orange", ["alice", "bob"]), ("", ["alice", "bob"])]
)
@pytest.mark.parametrize("is_shuffled", [False, True])
def test_who_sits_down_takes_either_side_and_the_host_has_the_other(
    colour: str, seated: list[str], is_shuffled: bool, alice: User, bob: User
) -> None:
    game = table(alice, is_shuffled=is_shuffled)
    [offered] = [[choice.is_offered for choice in table_state(fresh(game), bob).choices]]
    assert offered == [True, True]
    join_game(bob, game.slug, colour=colour)
    game = fresh(game)
    assert (game.status, sides_of(game)) == (Status.RUNNING, seated)
    assert game.turn_user is not None
    assert game.turn_user.username == seated[0]
    assert list(faults(game)) == []


@pytest.mark.parametrize(("colour", "seated"), [("yellow", ["alice", "bob"]), ("red", ["bob", "alice"])])
def test_with_two_colours_a_side_each_of_them_names_the_side(
    colour: str, seated: list[str], alice: User, bob: User
) -> None:
    game = table(alice, variant="classic-2:N:W")
    join_game(bob, game.slug, colour=colour)
    assert sides_of(game) == seated


def test_the_sides_open_with_their_pieces_and_the_game_is_proved_to_its_end(alice: User, bob: User) -> None:
    game = table(alice)
    join_game(bob, game.slug, colour="purple")
    other = next(each for each in Position.start("duo").legal_placements() if each.piece == "X")
    before = rows()
    with pytest.raises(Refused) as refused:
        place(game, str(other))
    assert "opening-piece" in refused.value.reasons
    assert rows() == before
    game = play_out(game, 5, any_placement)
    assert [move.placement.partition(":")[0] for move in game.moves.all()[:2]] == ["I3", "F"]
    assert (game.status, list(faults(game))) == (Status.FINISHED, [])


def test_the_hosts_side_is_not_there_to_take_at_other_tables_and_no_unknown_colour_anywhere(
    alice: User, bob: User
) -> None:
    plain = table(alice, variant="duo", lets_choose=True)
    with pytest.raises(SeatTaken):
        join_game(bob, plain.slug, colour="purple")
    with pytest.raises(BadRequest):
        join_game(bob, table(alice).slug, colour="green")


def test_the_host_may_sit_where_they_like_until_the_other_has_chosen(alice: User, bob: User) -> None:
    game = table(alice)
    choose_seat(alice, game.slug, colour="orange")
    join_game(bob, game.slug, colour="orange")
    assert sides_of(game) == ["alice", "bob"]


def test_an_invited_player_chooses_too(alice: User, bob: User) -> None:
    game = table(alice, invited("bob"))
    join_game(bob, game.slug, colour="purple")
    assert sides_of(game) == ["bob", "alice"]


def test_that_the_other_chooses_cannot_be_edited_away(alice: User, bob: User) -> None:
    game = table(alice)
    edit_table(alice, game.slug, TableTerms.of(fresh(game), lets_choose=False))
    assert fresh(game).lets_choose
    join_game(bob, game.slug, colour="purple")
    assert sides_of(game) == ["bob", "alice"]


def test_a_rematch_keeps_the_pieces_and_who_accepts_it_chooses(alice: User, bob: User) -> None:
    game = table(alice)
    join_game(bob, game.slug, colour="purple")
    resign(alice, game.slug, now=NOON)
    again = open_rematch(bob, game.slug, rotates=True)
    assert again.variant == NAMED_DUO
    host_seat = fresh(again).players.get(user=bob).seat
    join_game(alice, again.slug, colour=("purple", "orange")[host_seat])
    assert fresh(again).players.get(user=alice).seat == host_seat


@pytest.mark.parametrize("asks", [open_rematch, lambda user, slug: repeat_table(user, slug).game])
def test_whoever_asks_for_the_rematch_second_still_has_to_choose(
    asks: Callable[..., Game], alice: User, bob: User
) -> None:
    game = table(alice)
    join_game(bob, game.slug, colour="purple")
    resign(alice, game.slug, now=NOON)
    again = asks(bob, game.slug)
    assert asks(alice, game.slug) == again
    assert fresh(again).status == Status.OPEN
    assert all(choice.is_offered for choice in table_state(fresh(again), alice).choices)


@pytest.mark.parametrize("pieces", ["I3:F", "F:I3"])
def test_a_bot_takes_the_better_side(pieces: str, alice: User) -> None:
    variant = f"duo:{pieces}"
    better = better_seat(get_variant(variant))
    assert better == int(pieces == "I3:F")
    for _ in range(4):
        assert sides_of(table(alice, bot(), variant=variant)).index("random") == better
    waiting = table(alice, variant=variant)
    fill_seats(alice, waiting.slug, bot="random")
    assert sides_of(waiting).index("random") == better
    assert (fresh(waiting).status, list(faults(fresh(waiting)))) == (Status.RUNNING, [])


def test_bots_alone_sit_as_they_were_set(alice: User) -> None:
    for seats in (("greedy", "random"), ("random", "greedy")):
        game = open_table(alice, *map(bot, seats), variant=NAMED_DUO)
        assert sides_of(game) == list(seats)


def test_seats_are_worth_something_of_their_own_where_pieces_were_named(alice: User, bob: User) -> None:
    plain = table(alice, variant="duo")
    join_game(bob, plain.slug)
    named = table(alice)
    join_game(bob, named.slug)
    for game in (plain, named):
        resign(alice, game.slug, now=NOON)
    assert list(faults_of_ratings()) == []
    rate_family("duo", now=NOON)
    assert set(RatedFamily.objects.get(pk="duo").seats) == {"duo/0", "duo/1", "duo:named/0", "duo:named/1"}
    assert list(faults_of_ratings()) == []


@pytest.mark.parametrize("variant", ["classic-2:X:F", "blockyou-2:F:X"])
def test_a_piece_that_covers_no_corner_is_not_named(variant: str, alice: User) -> None:
    with pytest.raises(BadRequest, match="covers no start cell") as refused:
        table(alice, variant=variant)
    assert (refused.value.field, Game.objects.count()) == ("variant", 0)
    assert table(alice, variant="duo:X:F").variant == "duo:X:F"


@pytest.mark.parametrize("kind", NAMED)
def test_where_pieces_were_measured_there_are_pairs_that_leave_the_sides_about_even(kind: str) -> None:
    pairs, worth = even_pairs(kind), measured_sides().get(kind)
    assert (len(pairs) > 4) is (worth is not None)
    for pair in pairs:
        assert get_variant(":".join((kind, *pair))).named_pieces == pair
        assert worth is not None
        assert abs(worth.chance(*pair) - 1 / 2) <= sides.EVEN


def test_without_a_measurement_the_larger_piece_is_the_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "measured_sides", dict)
    found = [better_seat(get_variant(f"duo:{pieces}")) for pieces in ("1:F", "F:1", "F:N")]
    assert found == [1, 0, 0]
