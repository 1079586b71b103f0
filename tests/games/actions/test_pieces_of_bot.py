"""Freestyle against a bot that names the opening pieces: the person chooses the side, then the game begins."""

from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables import join_game as joining
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.remove_player import remove_player
from games.audit.checks import faults
from games.base.given import GivenStart
from games.base.setup import SeatSetup, check_setup, with_pieces_of_bot
from games.errors import BadRequest, NotFound, NotSeated, SeatTaken
from games.models import Game, Notification, Status
from games.queries.people.going import counts_by_list, going_keys
from games.queries.tables.table import TableState, table_state
from games.roster import sides
from games.roster.sides import better_seat, is_named_by, pair_named_by, pairs_to_name
from games.rules import Position, get_variant
from games.rules.variants import NAMED, named_id
from games.table import seats
from tests.games.children.families import child_of
from tests.games.tables import ME, NOON, OPEN, any_placement, bot, fresh, open_table, play_out, rows, setup

pytestmark = pytest.mark.django_db

SEARCHES = "sage-5"


def table(host: User, name: str = "random", seed: int = 3, variant: str = "duo") -> Game:
    return open_table(host, ME, bot(name, seed), variant=variant, bot_names_pieces=True)


def seen_by(user: User, game: Game) -> TableState:
    return table_state(fresh(game), user)


def sides_of(game: Game) -> list[str]:
    return [player.user.username if player.user else player.bot for player in fresh(game).players.order_by("seat")]


@pytest.mark.parametrize("name", ["random", SEARCHES])
@pytest.mark.parametrize(("colour", "seat"), [("purple", 0), ("orange", 1), ("", 0)])
def test_the_bot_names_a_pair_and_the_game_begins_once_the_person_has_chosen(
    name: str, colour: str, seat: int, alice: User
) -> None:
    game = table(alice, name)
    assert (fresh(game).status, fresh(game).variant) == (Status.OPEN, named_id("duo", pair_named_by("duo", 3)))
    assert [choice.is_offered for choice in seen_by(alice, game).choices] == [True, True]
    join_game(alice, game.slug, colour=colour)
    game = fresh(game)
    assert (game.status, sides_of(game).index("alice")) == (Status.RUNNING, seat)
    assert (game.is_rated, list(faults(game))) == (False, [])


def test_both_sides_open_with_the_pieces_that_the_bot_has_named(alice: User) -> None:
    game = table(alice)
    join_game(alice, game.slug, colour="orange")
    game = play_out(game, 5, any_placement)
    pieces = tuple(move.placement.partition(":")[0] for move in game.moves.all()[:2])
    assert pieces == pair_named_by("duo", 3)
    assert (game.status, list(faults(game))) == (Status.FINISHED, [])


def test_the_same_seed_names_the_same_pair_and_without_a_seed_one_is_drawn_and_kept(alice: User) -> None:
    assert table(alice, seed=4).variant == table(alice, seed=4).variant != table(alice, seed=5).variant
    game = open_table(alice, ME, SeatSetup(kind="bot", bot="random"), variant="duo", bot_names_pieces=True)
    assert is_named_by(get_variant(game.variant), game.players.exclude(bot="").get().bot_seed)


@pytest.mark.parametrize("kind", NAMED)
def test_what_bots_name_are_pairs_of_the_board(kind: str) -> None:
    pairs = pairs_to_name(kind)
    for pair in pairs:
        assert get_variant(named_id(kind, pair)).named_pieces == pair
    named = {pair_named_by(kind, seed) for seed in range(2 * len(pairs))}
    assert named == set(pairs)


def test_all_levels_name_of_those_that_leave_the_sides_about_even() -> None:
    worth = sides.measured_sides()["duo"]
    assert all(abs(worth.chance(*pair_named_by("duo", seed)) - 1 / 2) <= sides.EVEN for seed in range(100))


def test_a_board_without_pairs_has_none_to_name(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    monkeypatch.setattr(sides, "measured_sides", dict)
    monkeypatch.setattr(sides, "searched_pairs", dict)
    with pytest.raises(ValueError, match="duo"):
        pair_named_by("duo", 1)
    assert not is_named_by(get_variant("duo:N:W"), 1)
    with pytest.raises(BadRequest) as refused:
        table(alice)
    assert refused.value.field == "bot_names_pieces"


@pytest.mark.parametrize(
    ("variant", "seated"),
    [
        ("duo:N:W", (ME, bot())),
        ("codingame-2", (ME, bot())),
        ("duo", (ME, OPEN)),
        ("duo", (bot(), bot())),
        ("duo", (OPEN, bot())),
        ("blockyou-4", (ME, bot(), bot(), bot())),
    ],
)
def test_where_no_one_can_choose_or_the_pieces_are_named_nothing_is_opened(
    variant: str, seated: tuple[SeatSetup, ...], alice: User
) -> None:
    before = rows()
    with pytest.raises(BadRequest) as refused:
        open_table(alice, *seated, variant=variant, bot_names_pieces=True)
    assert refused.value.field == "bot_names_pieces"
    assert rows() == before


def test_at_a_given_position_no_pieces_are_named(alice: User) -> None:
    start = Position.start("duo")
    given = GivenStart((), start, "", is_public=True, declares_passes=False)
    with pytest.raises(BadRequest) as refused:
        create_game(alice, setup(ME, bot(), variant="duo", bot_names_pieces=True), given=given)
    assert refused.value.field == "bot_names_pieces"


def test_a_table_is_as_it_was_where_no_bot_names_the_pieces() -> None:
    plain = setup(ME, bot(), variant="duo")
    check_setup(plain)
    assert with_pieces_of_bot(plain) is plain


def test_the_seat_is_the_hosts_alone(alice: User, bob: User) -> None:
    game = table(alice)
    before = rows()
    with pytest.raises((NotFound, SeatTaken)):
        join_game(bob, game.slug, token=fresh(game).invite_token)
    rights = seen_by(bob, game).rights
    assert (rights.can_join, rights.is_choosing) == (False, False)
    assert rows() == before


def test_the_host_is_not_invited_by_themselves(alice: User) -> None:
    game = table(alice)
    rights = seen_by(alice, game).rights
    assert (rights.is_choosing, rights.can_join, rights.is_invited, rights.can_share_link) == (True, True, False, False)
    assert not Notification.objects.exists()
    counts = counts_by_list(alice, NOON, going_keys(alice))
    assert (counts["open"], counts["invited"]) == (1, 0)


def test_the_host_cancels_the_table_and_does_not_decline_their_own_seat(alice: User) -> None:
    game = table(alice)
    own = fresh(game).players.get(invitee=alice).seat
    before = rows()
    with pytest.raises(NotSeated) as declined:
        decline_invitation(alice, game.slug)
    with pytest.raises(NotSeated) as removed:
        remove_player(alice, game.slug, seat=own)
    assert (declined.value.code, removed.value.code) == ("creator-cancels", "creator-cancels")
    assert rows() == before
    cancel_game(alice, game.slug)
    assert fresh(game).status == Status.CANCELLED


def test_who_has_as_many_tables_as_allowed_still_chooses(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MAX_GAMES", 1)
    game = table(alice)
    assert joining.join_game(alice, game.slug).pk == game.pk
    assert fresh(game).status == Status.RUNNING


def test_without_its_bot_the_table_waits_for_another_opponent(alice: User) -> None:
    game = table(alice)
    remove_player(alice, game.slug, seat=fresh(game).players.exclude(bot="").get().seat)
    assert not seen_by(alice, game).rights.is_choosing
    join_game(alice, game.slug)
    assert fresh(game).status == Status.OPEN
    fill_seats(alice, game.slug, bot="random")
    variant = get_variant(fresh(game).variant)
    assert (fresh(game).status, sides_of(game).index("random")) == (Status.RUNNING, better_seat(variant))


def test_in_a_rematch_the_pieces_stay_and_the_bot_chooses(alice: User) -> None:
    game = table(alice)
    join_game(alice, game.slug)
    resign(alice, game.slug, now=NOON)
    again = fresh(open_rematch(alice, game.slug, now=NOON))
    assert (again.status, again.variant) == (Status.RUNNING, game.variant)
    assert sides_of(again).index("random") == better_seat(get_variant(again.variant))


def test_a_child_may_choose_too(alice: User) -> None:
    child = child_of(alice)
    game = table(child)
    assert fresh(game).is_sheltered
    join_game(child, game.slug, colour="orange")
    assert sides_of(game) == ["random", child.username]


def test_opposite_a_bot_whose_host_does_not_play_a_side_is_chosen_too(alice: User, bob: User) -> None:
    settings: dict[str, Any] = {"variant": "duo:I3:F"}
    game = open_table(alice, OPEN, bot(), **settings)
    join_game(bob, game.slug, colour="orange")
    assert sides_of(game) == ["random", "bob"]
