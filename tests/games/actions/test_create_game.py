"""Opening a table."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup, SeatSetup
from games.clock import DAY, TimeControl
from games.errors import BadRequest, NotSeated, TooMany
from games.models import Game, Status
from tests.games import tables
from tests.games.tables import LINK, ME, NOON, OPEN, bot, invited, setup


def test_a_table_with_an_empty_seat_waits(alice: User) -> None:
    game = create_game(alice, setup(ME, OPEN))
    assert game.status == Status.OPEN
    assert [player.user for player in game.players.all()] == [alice, None]
    assert game.version == 1
    assert game.turn_seat is None


def test_a_table_without_an_empty_seat_starts_at_once(alice: User) -> None:
    game = create_game(alice, setup(ME, bot(seed=7)), now=NOON)
    assert game.status == Status.RUNNING
    assert (game.turn_seat, game.turn_colour, game.started_at) == (0, "blue", NOON)
    assert game.board == "." * 400
    assert [(player.bot, player.bot_seed) for player in game.players.all()] == [("", 0), ("random", 7)]


def test_a_game_of_bots_only_is_watched_by_its_creator(alice: User) -> None:
    game = create_game(alice, setup(*[bot()] * 4))
    assert game.status == Status.RUNNING
    assert not game.players.filter(user=alice).exists()


def test_an_invited_player_has_to_accept_first(alice: User, bob: User) -> None:
    game = create_game(alice, setup(ME, invited("BOB")))
    seat = game.players.get(seat=1)
    assert (game.status, seat.user, seat.invitee) == (Status.OPEN, None, bob)


def test_what_was_agreed_is_stored(alice: User) -> None:
    wanted = setup(ME, OPEN, name=" Sunday ", is_public=False, declares_passes=True, time=TimeControl.days_a_move(3))
    game = Game.objects.get(pk=create_game(alice, wanted).pk)
    assert (game.name, game.is_public, game.declares_passes) == ("Sunday", False, True)
    assert (game.time_initial, game.time_increment, game.time_cap) == (3 * DAY, 3 * DAY, 3 * DAY)


@pytest.mark.parametrize("days", [1, 2, 3, 5, 7, 14])
def test_the_first_deadline_is_the_agreed_days_away(alice: User, bob: User, days: int) -> None:
    game = create_game(alice, setup(ME, OPEN, time=TimeControl.days_a_move(days)), now=NOON)
    assert join_game(bob, game.slug, now=NOON).deadline == NOON + timedelta(days=days)


def test_unlimited_time_has_no_deadline(alice: User) -> None:
    assert create_game(alice, setup(ME, bot())).deadline is None


def test_three_players_have_the_colours_they_chose(alice: User) -> None:
    game = create_game(alice, setup(ME, bot(), bot(), colours=("green", "red", "blue")))
    assert game.colours == ["green", "red", "blue"]
    assert (game.turn_colour, game.turn_seat) == ("blue", 2)


def test_three_players_who_choose_nothing_have_the_first_three_colours(alice: User) -> None:
    assert create_game(alice, setup(ME, bot(), bot())).colours == ["blue", "yellow", "red"]


def test_seats_are_shuffled_unless_told_otherwise(alice: User) -> None:
    wanted = GameSetup(variant="blockyou-4", seats=(ME, *[bot()] * 3))
    seats = {create_game(alice, wanted).players.get(user=alice).seat for _ in range(30)}
    # All of 30 games give one seat of four the same player with a chance of less than 10 ** -17.
    assert len(seats) > 1
    assert {len({player.seat for player in game.players.all()}) for game in Game.objects.all()} == {4}


def test_bots_get_seeds_of_their_own(alice: User) -> None:
    game = create_game(alice, setup(*[SeatSetup(kind="bot", bot="greedy")] * 4))
    assert len({player.bot_seed for player in game.players.all()}) == 4


NONSENSE = {
    "an unknown variant": (setup(ME, OPEN, variant="chess"), "variant"),
    "too few seats": (setup(ME, OPEN, variant="blockyou-4"), "seats"),
    "too many seats": (setup(ME, OPEN, OPEN, variant="blockyou-2"), "seats"),
    "no seats": (setup(variant="blockyou-2"), "seats"),
    "the creator twice": (setup(ME, ME), "seats"),
    "somebody twice": (setup(ME, invited("bob"), invited("Bob")), "seats"),
    "a kind that is none": (setup(ME, SeatSetup(kind="king")), "seats-1"),  # type: ignore[arg-type]  # on purpose
    "nobody named": (setup(ME, invited("")), "seats-1"),
    "an unknown player": (setup(ME, invited("nobody")), "seats-1"),
    "a name with a NUL": (setup(ME, invited("bob\0")), "seats-1"),
    "the creator invited": (setup(OPEN, invited("alice")), "seats-1"),
    "a guest invited": (setup(ME, invited("guest")), "seats-1"),
    "a closed account invited": (setup(ME, invited("gone")), "seats-1"),
    "an unknown bot": (setup(ME, bot("hal")), "seats-1"),
    "a name for an open seat": (setup(ME, SeatSetup(kind="open", username="bob")), "seats-1"),
    "a bot in an open seat": (setup(ME, SeatSetup(kind="open", bot="random")), "seats-1"),
    "a seed below zero": (setup(ME, bot(seed=-1)), "seats-1"),
    "a seed beyond the column": (setup(ME, bot(seed=2**63)), "seats-1"),
    "two colours the same": (setup(ME, OPEN, OPEN, colours=("red", "red", "blue")), "colours"),
    "an unknown colour": (setup(ME, OPEN, OPEN, colours=("red", "pink", "blue")), "colours"),
    "two colours for three": (setup(ME, OPEN, OPEN, colours=("red", "blue")), "colours"),
    "four colours for three": (setup(ME, OPEN, OPEN, colours=("red", "blue", "green", "yellow")), "colours"),
    "chosen colours for two": (setup(ME, OPEN, colours=("red", "blue")), "colours"),
    "no time at all": (setup(ME, OPEN, time=TimeControl(0, 0, 0)), "initial"),
    "half a clock": (setup(ME, OPEN, time=TimeControl(DAY, None, None)), "time"),
    "half a minute": (setup(ME, OPEN, time=TimeControl(DAY, 30, DAY)), "time"),
    "four minutes": (setup(ME, OPEN, time=TimeControl(240, 60, DAY)), "initial"),
    "31 days": (setup(ME, OPEN, time=TimeControl(31 * DAY, 60, 60 * DAY)), "initial"),
    "no increment": (setup(ME, OPEN, time=TimeControl(DAY, 0, DAY)), "increment"),
    "an increment of 15 days": (setup(ME, OPEN, time=TimeControl(DAY, 15 * DAY, 60 * DAY)), "increment"),
    "a cap below the start": (setup(ME, OPEN, time=TimeControl(2 * DAY, 60, DAY)), "cap"),
    "a cap below the increment": (setup(ME, OPEN, time=TimeControl(DAY, 2 * DAY, DAY)), "cap"),
    "a cap of 61 days": (setup(ME, OPEN, time=TimeControl(DAY, 60, 61 * DAY)), "cap"),
    "a name of 41 characters": (setup(ME, OPEN, name="x" * 41), "name"),
    "a name of two lines": (setup(ME, OPEN, name="a\nb"), "name"),
    "a name with a NUL in it": (setup(ME, OPEN, name="a\0b"), "name"),
    "half a character": (setup(ME, OPEN, name="\ud800"), "name"),
    "a name that turns the line round": (setup(ME, OPEN, name="abc\u202edef"), "name"),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_nonsense_is_refused_by_field_and_nothing_is_made(alice: User, bob: User, what: str) -> None:
    User.objects.create_user("guest", is_guest=True)
    User.objects.create_user("gone", is_active=False)
    wanted, field = NONSENSE[what]
    with pytest.raises(BadRequest) as refused:
        create_game(alice, wanted)
    assert refused.value.field == field
    assert str(refused.value).endswith(".")
    assert not Game.objects.exists()


def test_nobody_has_more_than_forty_games_going(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(20):
        create_game(alice, setup(ME, LINK))
        create_game(alice, setup(bot(), bot()))
    with pytest.raises(TooMany) as refused:
        create_game(alice, setup(ME, LINK))
    assert refused.value.retry_after > 0
    Game.objects.filter(status=Status.OPEN).first().delete()  # type: ignore[union-attr]  # there are twenty
    create_game(alice, setup(ME, LINK))


def test_three_tables_of_one_person_wait_in_the_lobby(alice: User, bob: User) -> None:
    waiting = [create_game(alice, setup(ME, OPEN)) for _ in range(3)]
    with pytest.raises(TooMany):
        create_game(alice, setup(ME, OPEN))
    assert Game.objects.count() == 3
    for elsewhere in (setup(ME, LINK), setup(ME, OPEN, is_public=False)):
        create_game(alice, elsewhere)
    join_game(bob, waiting[0].slug)
    create_game(alice, setup(ME, OPEN))


@pytest.mark.parametrize(
    "name", ["\u200b", "a\u200bb", "\u200d", "\u3164\u3164", "\u2800", "a\u2028b", "\ufeffa", " \u0301"]
)
def test_a_table_has_a_name_that_can_be_seen(alice: User, name: str) -> None:
    with pytest.raises(BadRequest) as refused:
        create_game(alice, setup(ME, OPEN, name=name))
    assert refused.value.field == "name"


@pytest.mark.parametrize(
    "name", ["", "Friday", "Fête de l’été", "Ω ★ 5", "می‌خواهم", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "42"]
)
def test_a_name_in_any_script_is_welcome(alice: User, name: str) -> None:
    assert create_game(alice, setup(ME, OPEN, name=name)).name == name


def test_a_closed_account_opens_no_table(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    with pytest.raises(NotSeated):
        create_game(alice, setup(ME, OPEN))


@pytest.mark.parametrize("name", ["random", "greedy", "sage-2", "hermit-9"])
def test_the_bots_of_the_roster_can_be_seated(alice: User, name: str) -> None:
    game = create_game(alice, setup(ME, bot(name)))
    assert {player.bot for player in game.players.all()} == {"", name}


def test_a_table_opened_in_private_has_a_link_of_its_own(alice: User) -> None:
    tokens = {tables.open_table(alice, ME, LINK, is_public=False).invite_token for _ in range(3)}
    assert len(tokens) == 3
