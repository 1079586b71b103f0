"""What a record keeps beside the turns of its game: other turns that could have been, as a tree."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from games.rules.errors import UnreadableRecord
from games.rules.records.comments import LONGEST_COMMENT, clean_lines, too_long_beside

#: More turns of variations are not kept of a game.
MOST_VARIED = 2_000


class VariedTurn(NamedTuple):
    """A turn of a variation: its text, what was written to it, and what the variation is called from there on.

    It follows the varied turn of number `parent`, counted from 1 in the order in which a record has them; or where that
    is 0, the game after so many of its turns. `after` is the same for all that follow.
    """

    parent: int
    after: int
    turn: str
    comment: str = ""
    name: str = ""


class VariationPlace(NamedTuple):
    """A place in a game or beside it: after the varied turn of that number, or in the game after so many turns."""

    number: int
    after: int


class VariationTree:
    """Gathers varied turns. Whatever leads along the game, or to what is known already, is not kept twice."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = moves
        self._varied: list[VariedTurn] = []
        self._comments: dict[int, list[str]] = {}
        self._names: dict[int, str] = {}
        self._lengths: Counter[int] = Counter()
        self._known: dict[tuple[int, int, str], int] = {}

    def follow(self, place: VariationPlace, turn: str) -> VariationPlace:
        """Return the place after one more turn.

        Raises:
            UnreadableRecord: it would be one too many.

        """
        number, after = place
        if not number and after < len(self.moves) and self.moves[after] == turn:
            return VariationPlace(0, after + 1)
        found = self._known.get((number, after, turn))
        if found is None:
            if len(self._varied) >= MOST_VARIED:
                raise UnreadableRecord("The variations have more than %(most)d moves in total.", most=MOST_VARIED)
            self._varied.append(VariedTurn(number, after, turn))
            found = self._known[number, after, turn] = len(self._varied)
        return VariationPlace(found, after)

    def write(self, number: int, comment: str) -> None:
        """Add to what is written to a varied turn.

        Raises:
            UnreadableRecord: it would be too long.

        """
        self._lengths[number] += len(clean_lines(comment))
        if self._lengths[number] > LONGEST_COMMENT:
            raise too_long_beside(number)
        self._comments.setdefault(number, []).append(comment)

    def call(self, number: int, name: str) -> None:
        """Call the variation so from a varied turn on, unless it has a name there."""
        if name:
            self._names.setdefault(number, name)

    def turns(self) -> tuple[VariedTurn, ...]:
        """Return all varied turns, with what is written to them and their names."""
        return tuple(
            one._replace(
                comment="\n\n".join(filter(None, self._comments.get(number, ()))), name=self._names.get(number, "")
            )
            for number, one in enumerate(self._varied, 1)
        )


def in_order(varied: Sequence[VariedTurn]) -> tuple[VariedTurn, ...]:
    """Return varied turns in the one order that records have: each variation whole, from the earliest in the game on.

    Those that begin at the same place stay in their order.
    """
    order = numbers_in_order(varied)
    numbers = {0: 0} | {number: new for new, number in enumerate(order, 1)}
    return tuple(one._replace(parent=numbers[one.parent]) for one in (varied[number - 1] for number in order))


def numbers_in_order(varied: Sequence[VariedTurn]) -> tuple[int, ...]:
    """Return the numbers that varied turns have now, in the order in which `in_order` puts them."""
    following: dict[int, list[int]] = {}
    for number, one in enumerate(varied, 1):
        following.setdefault(one.parent, []).append(number)
    waiting = sorted(following.get(0, ()), key=lambda number: varied[number - 1].after)[::-1]
    found: list[int] = []
    while waiting:
        found.append(waiting.pop())
        waiting.extend(following.get(found[-1], [])[::-1])
    return tuple(found)


def line_to(varied: Sequence[VariedTurn], number: int) -> tuple[VariedTurn, ...]:
    """Return the varied turns that lead to that of a number, itself included; none for 0."""
    return tuple(varied[each - 1] for each in line_numbers(varied, number))


def line_numbers(varied: Sequence[VariedTurn], number: int) -> tuple[int, ...]:
    """Return the numbers of the varied turns that lead to that of a number, itself included; none for 0."""
    found: list[int] = []
    while number:
        found.append(number)
        number = varied[number - 1].parent
    return tuple(found[::-1])


def variation_line(varied: Sequence[VariedTurn], number: int) -> tuple[VariedTurn, ...]:
    """Return the variation that goes through the varied turn of a number, at each fork what comes first after it."""
    return tuple(varied[each - 1] for each in variation_numbers(varied, number))


def variation_numbers(varied: Sequence[VariedTurn], number: int) -> tuple[int, ...]:
    """Return the numbers of the varied turns of that variation."""
    first: dict[int, int] = {}
    for each, one in enumerate(varied, 1):
        first.setdefault(one.parent, each)
    found = [*line_numbers(varied, number)]
    while number in first:
        number = first[number]
        found.append(number)
    return tuple(found)


def ends_of(varied: Sequence[VariedTurn]) -> Iterator[int]:
    """Yield the numbers of the last turns of all variations, in order."""
    parents = {one.parent for one in varied}
    yield from (number for number in range(1, len(varied) + 1) if number not in parents)


def checked_variations(varied: Iterable[VariedTurn], last: int) -> tuple[VariedTurn, ...]:
    """Return varied turns in order, each beginning where the first of its variation does.

    Raises:
        UnreadableRecord: one follows a turn that is not there, or there are too many.

    """
    found: list[VariedTurn] = []
    for number, one in enumerate(varied, 1):
        if number > MOST_VARIED:
            raise UnreadableRecord("The variations have more than %(most)d moves in total.", most=MOST_VARIED)
        if not 0 <= one.parent < number or not 0 <= one.after <= last:
            raise UnreadableRecord("Move %(number)d of the variations follows none that is there.", number=number)
        found.append(one._replace(after=found[one.parent - 1].after) if one.parent else one)
    return in_order(found)
