"""Games that come to a position which was set up: an order in which its pieces may have been placed."""

from collections.abc import Iterator, Mapping

from games.rules.placement import table_for
from games.rules.position import Position
from games.rules.record import format_turn

#: After so many positions no further order is tried. A game in which no colour was blocked needs one for each piece.
MOST_ORDERS_TRIED = 400

#: What each colour has still to place, by the ids of the placements.
_Left = Mapping[str, frozenset[int]]


def turns_to(target: Position) -> tuple[str, ...] | None:
    """Return the turns of a game in which the pieces of a position are placed and its colour is to play then.

    None where no such game was found: there is none, or too many orders would have to be tried. Every turn is lawful.
    Which of several orders it is, nothing says; it is always the same. At most `MOST_ORDERS_TRIED` positions are
    played.

    Rule: R3, R4, R5, R6, R7
    """
    start = Position.start(target.variant, _chosen(target), target.scoring)
    short, seen = _short(target), set[int]()
    open_ends = [(start, _laid(target))]
    while open_ends and len(seen) < MOST_ORDERS_TRIED:
        position, left = open_ends.pop()
        if position.key in seen:
            continue
        seen.add(position.key)
        if position.colour == target.colour and not any(left.values()):
            return tuple(map(format_turn, position.history))
        open_ends.extend(_onward(position, left, short))
    return None


def _chosen(target: Position) -> tuple[str, ...] | None:
    return tuple(own[0] for own in target.seats) if target.variant.choosable_colours else None


def _laid(target: Position) -> _Left:
    table, laid = table_for(target.variant), {colour: set[int]() for colour in target.colours_in_play}
    for turn in target.history:
        if turn.colour is not None and turn.placement is not None:
            laid[turn.colour].add(table.id_of_text(str(turn.placement)))
    return {colour: frozenset(ids) for colour, ids in laid.items()}


def _short(target: Position) -> tuple[str, ...]:
    """Return the colours that have placed less than others, as those have that could not place any more."""
    counts = {colour: len(ids) for colour, ids in _laid(target).items()}
    return tuple(colour for colour, count in counts.items() if count < max(counts.values()))


def _onward(position: Position, left: _Left, short: tuple[str, ...]) -> Iterator[tuple[Position, _Left]]:
    """Yield where one more turn leads, the most promising last: first is placed what shuts out those who fall short."""
    colour = position.colour or ""
    if not position.has_legal():
        if not (position.is_over or left[colour]):
            yield position.pass_turn(), left
        return
    ways = [(position.play_id(one), one) for one in sorted(left[colour]) if position.allows_id(one)]
    open_ones = [each for each in short if each != colour and not left[each]]

    def room(way: tuple[Position, int]) -> int:
        return sum(way[0].legal_count(each) for each in open_ones)

    for after, one in sorted(ways, key=room, reverse=True):
        yield after, {**left, colour: left[colour] - {one}}
