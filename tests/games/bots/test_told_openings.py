"""A bot below the highest level begins with the opening it was told."""

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.open_rematch import open_rematch
from games.base.positions import position_of
from games.base.setup import SeatSetup
from games.bots.turns import choose, play_turn
from games.errors import BadRequest
from games.lines.entries import LINES
from games.lines.matching import followed_lines, nearest_on
from games.models import Game, Thought
from games.queries.turns import BotTurn
from games.rules import Position
from tests.games.tables import ME, fresh, open_table, setup

pytestmark = pytest.mark.django_db


def told(opening: str, name: str = "greedy", seed: int = 1) -> SeatSetup:
    return SeatSetup(kind="bot", bot=name, seed=seed, opening=opening)


def after(game: Game, turns: int) -> Position:
    """Return the position after so many turns of bots."""
    for number in range(1, turns + 1):
        assert play_turn(game.pk, number)
    return position_of(fresh(game))


def followed(position: Position) -> dict[str, tuple[str, int]]:
    return {each.colour: (each.line.key, each.pieces) for each in followed_lines(position)}


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_a_bot_follows_the_opening_it_was_told_with_every_colour(name: str, alice: User) -> None:
    position = after(open_table(alice, told("fxwy", name), told("barasona", name)), 17)
    assert followed(position) == {
        "blue": ("fxwy", 4),
        "yellow": ("barasona", 4),
        "red": ("fxwy", 4),
        "green": ("barasona", 4),
    }
    assert list(Thought.objects.order_by("pk").values_list("engine", flat=True)) == ["opening"] * 16 + [name]


def test_the_same_seeds_give_the_same_opening_and_others_another_one(alice: User) -> None:
    boards = [after(open_table(alice, told("pxwf", seed=a), told("pxwf", seed=b)), 8).board for a, b in 2 * [(3, 4)]]
    assert boards[0] == boards[1]
    others = {after(open_table(alice, told("pxwf", seed=seed), told("pxwf", seed=9)), 1).board for seed in range(9)}
    assert len(others) > 1


def test_a_bot_whose_opening_was_left_goes_on_by_itself() -> None:
    begun = Position.start("duo").play("F:e8,f8,d9,e9,e10").play("1:j5")
    assert choose(turn_at(begun), 3).thinking.engine == "opening"
    left = begun.play("2:g7,h7").play("2:k4,l4")
    assert choose(turn_at(left), 5).thinking.engine == "greedy"


def turn_at(position: Position) -> BotTurn:
    return BotTurn("slug", 1, 0, "greedy", 5, position, "fw")


def test_nothing_of_an_opening_is_left_once_it_was_left() -> None:
    position = Position.start("duo").play("F:e8,f8,d9,e9,e10").play("1:j5")
    assert nearest_on(position, LINES["fw"])
    assert nearest_on(position.play("2:g7,h7").play("2:k4,l4"), LINES["fw"]) == ()
    assert nearest_on(position, LINES["xf"]) == nearest_on(position, LINES["barasona"]) == ()


def test_a_shared_colour_follows_no_opening(alice: User) -> None:
    game = open_table(alice, *(told("barasona", seed=seed) for seed in range(3)), variant="classic-3")
    assert set(followed(after(game, 16))) == {"blue", "yellow", "red"}
    engines = list(Thought.objects.order_by("pk").values_list("engine", flat=True))
    assert engines == ["opening", "opening", "opening", "greedy"] * 4


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [
        (told("fw"), "This opening does not belong to this board."),
        (told("no-such-opening"), "This opening does not belong to this board."),
        (told("barasona", "sage-9"), "This bot chooses its opening itself."),
        (SeatSetup(kind="open", opening="barasona"), "A bot, an opening or a seed needs a bot's seat."),
    ],
)
def test_an_opening_that_makes_no_sense_is_refused(seat: SeatSetup, sentence: str, alice: User) -> None:
    with pytest.raises(BadRequest, match=sentence) as refused:
        create_game(alice, setup(ME, seat))
    assert refused.value.field == "seats-1"
    assert not Game.objects.exists()


def test_a_bot_is_told_the_same_at_a_rematch(alice: User) -> None:
    game = open_table(alice, ME, told("barasona"))
    resign(alice, game.slug)
    again = open_rematch(alice, game.slug)
    assert again.players.get(bot="greedy").bot_opening == "barasona"
