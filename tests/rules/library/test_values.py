"""Values never change, are compared by what they hold, and travel between processes."""

import copy
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import pytest

from games.rules import VARIANTS, Placement, Position, get_variant
from games.rules.errors import Phrase, RulesError
from games.rules.frozen import FrozenMapping
from games.rules.geometry import rectangle
from games.rules.record import Record, replay
from games.rules.records import GameRecord, Thinking, read
from games.rules.symmetry import symmetries
from games.rules.variants import Bonus, Variant
from tests.rules.games import random_game, random_positions

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
GAME = GameRecord(Record("duo", ("1:e10",)), comments={1: "x"}, thoughts={1: Thinking("greedy", 1, 0, 0, None)})


def some_positions(variant: str) -> list[Position]:
    """Return positions at the start, in the middle and at the end of a game."""
    positions = list(random_positions(3, variant))
    return [positions[0], positions[len(positions) // 2], positions[-1]]


def set_up() -> Position:
    return Position.setup("duo", [("orange", "1:j5"), ("purple", "1:e10")], "orange")


#: One of each kind of value that says that it never changes.
VALUES: dict[str, Callable[[], object]] = {
    "position": lambda: Position.start("duo").play("1:e10"),
    "set-up position": set_up,
    "placement": lambda: Placement.parse("a1,b1"),
    "odd placement": lambda: Placement.parse("a1,c1"),
    "turn": lambda: Position.start("duo").play("1:e10").history[0],
    "score": lambda: Position.start("duo").score_of("orange"),
    "variant": lambda: VARIANTS["duo"],
    "grid": lambda: rectangle(3, 4),
    "piece": lambda: VARIANTS["duo"].pieces[3],
    "bonus": lambda: Bonus(15, 20),
    "record": lambda: Record("duo", ("1:e10",)),
    "game record": lambda: replace(GAME),
    "comments": lambda: replace(GAME).comments,
    "thinking": lambda: Thinking("greedy", 1, 0, 0, None),
    "phrase": lambda: Phrase("%(a)s", {"a": 1}),
    "symmetry": lambda: replace(symmetries("codingame-4")[1]),
}


def attributes(value: object) -> list[str]:
    """Return the names of what a value keeps, and one that it does not."""
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*slots, *getattr(value, "__dict__", ()), *getattr(value, "_fields", ()), "anything"]


@pytest.mark.parametrize("kind", VALUES)
def test_no_attribute_of_a_value_can_be_set_or_deleted(kind: str) -> None:
    value = VALUES[kind]()
    for name in attributes(value):
        with pytest.raises(AttributeError):
            setattr(value, name, None)
        with pytest.raises(AttributeError):
            delattr(value, name)


@pytest.mark.parametrize("kind", VALUES)
def test_values_are_equal_and_hashed_by_what_they_hold(kind: str) -> None:
    one, same = VALUES[kind](), VALUES[kind]()
    assert one == same
    assert hash(one) == hash(same)
    assert one != object()
    assert pickle.loads(pickle.dumps(one)) == one
    assert copy.deepcopy(one) == one


def test_mappings_inside_values_cannot_be_changed() -> None:
    variant = VARIANTS["blockyou-4"]
    for mapping in (variant.starts, variant.openers, variant.start_cells, variant.grid.index, GAME.comments):
        with pytest.raises(TypeError):
            mapping[next(iter(mapping), "x")] = ()  # type: ignore[index]


def test_a_frozen_mapping_is_read_like_any_other() -> None:
    mapping = FrozenMapping({"a": 1, "b": 2})
    assert (mapping["a"], list(mapping), len(mapping), repr(mapping)) == (1, ["a", "b"], 2, "{'a': 1, 'b': 2}")
    assert mapping == {"b": 2, "a": 1}
    assert hash(mapping) == hash(FrozenMapping({"b": 2, "a": 1}))


def test_lists_given_to_a_record_are_kept_as_tuples() -> None:
    record = Record("blockyou-3", ["1:a1"], ["blue", "red", "green"])  # type: ignore[arg-type]
    assert record == Record("blockyou-3", ("1:a1",), ("blue", "red", "green"))
    game = GameRecord(Record("duo", ()), [["purple", "1:e10"]], players=["Ann"])  # type: ignore[arg-type]
    assert {game} == {GameRecord(Record("duo", ()), (("purple", "1:e10"),), players=("Ann", ""))}


def test_positions_are_equal_where_the_same_game_has_had_the_same_turns() -> None:
    for one, other in zip(random_positions(5), random_positions(5), strict=True):
        assert (one == other, hash(one) == hash(other)) == (True, True)
    assert len(set(random_positions(5))) == len(list(random_positions(5)))


@pytest.mark.parametrize(
    "other",
    [
        Position.start("blockyou-2"),
        Position.start("blockyou-4", scoring="basic"),
        Position.start("blockyou-4").retire(0),
        Position.setup("blockyou-4", (), "red"),
        random_game(5),
        "blockyou-4",
    ],
    ids=str,
)
def test_positions_of_other_games_differ(other: object) -> None:
    assert Position.start("blockyou-4") != other


def test_what_is_set_up_differs_from_what_was_played() -> None:
    played = Position.start("duo").play("1:e10").play("1:j5")
    laid = Position.setup("duo", [("purple", "1:e10"), ("orange", "1:j5")])
    assert laid.history == played.history
    assert laid != played
    assert (played.is_set_up, laid.is_set_up, laid.retire(0).is_set_up) == (False, True, True)


@pytest.mark.parametrize("variant", [*VARIANTS, "codingame-2:26:7"])
def test_a_pickled_position_is_small_and_shares_the_tables(variant: str) -> None:
    for position in some_positions(variant):
        for protocol in PROTOCOLS:
            data = pickle.dumps(position, protocol)
            again = pickle.loads(data)
            assert len(data) <= 2_000
            assert again == position
            assert again._game.table is position._game.table
            assert again._board.masks is position._board.masks
            assert again.variant is position.variant


def test_a_position_comes_back_from_pickling_as_it_was() -> None:
    retired = list(random_positions(4, "trigon-3"))[20].retire(1)
    three = Position.start("blockyou-3", ("green", "red", "blue")).play("1:a1")
    turned = Position.setup("duo", (), "orange")
    for position in (retired, three, turned, set_up(), set_up().play("k6,l6"), random_game(2, "codingame-3")):
        again = pickle.loads(pickle.dumps(position))
        assert everything(again) == everything(position)


def everything(position: Position) -> tuple[object, ...]:
    legal = [position.legal_ids(colour) for colour in position.colours_in_play]
    facts = (position.board, position.colour, position.is_over, position.retired, position.scores(), position.seats)
    return *facts, legal, position.history, position.scoring, position.is_set_up, position.key


def test_a_position_copied_is_itself() -> None:
    position = random_game(1)
    assert copy.copy(position) is position
    assert copy.deepcopy([position])[0] is position


def test_variants_come_back_from_pickling_as_the_ones_that_are_there() -> None:
    for variant in (*VARIANTS.values(), get_variant("codingame-4:9:3")):
        assert pickle.loads(pickle.dumps(variant)) is variant


@pytest.mark.parametrize("name", ["duo", "small"])
def test_a_variant_of_ones_own_comes_back_equal(name: str) -> None:
    own = replace(VARIANTS["duo"], id=name, grid=rectangle(12, 14))
    position = Position.start(own).play("1:e10")
    again = pickle.loads(pickle.dumps(position))
    assert again == position
    assert again._game.table is position._game.table


def refused_by_another_process(text: str) -> GameRecord | Position:
    if text.startswith("("):
        return read(text)
    return Position.start("duo").play(text)


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1:a0", "UnreadablePlacement"),
        ("1:a1", "IllegalPlacement"),
        ("(;GM[", "UnreadableFile"),
        ("(", "UnreadableFile"),
    ],
)
def test_errors_and_positions_cross_a_pool_of_processes(pool: ProcessPoolExecutor, text: str, kind: str) -> None:
    with pytest.raises(RulesError) as caught:
        pool.submit(refused_by_another_process, text).result()
    assert type(caught.value).__name__ == kind
    position = pool.submit(replay, "duo", ["1:e10"]).result()
    assert isinstance(position, Position)
    assert position.key == pool.submit(key_of, position).result() == position.key


def key_of(position: Position) -> int:
    return position.key


def test_variants_are_compared_by_all_that_they_hold() -> None:
    duo: Variant = VARIANTS["duo"]
    assert replace(duo, scorings=("basic",)) != duo
    assert replace(duo) == duo
