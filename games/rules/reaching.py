"""Games that come to a position which was set up: an order in which its pieces may have been placed.

Which turns place something, and which are passes, follows from how much each colour has placed: a colour that cannot
place any more never can again. Each colour's own pieces have to be joined by corners to one that lies on its start:
the rules ask no more of their order where no colour has passed. Where one has, what others had placed by then must
leave it no room. So a game is looked for from its end: piece by piece is taken away, but none without which others of
its colour are apart, or a colour that has passed finds room, until as much lies there as when the first colour passed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.rules.board import ids_of
from games.rules.errors import RulesError
from games.rules.placement import table_for
from games.rules.position import Position
from games.rules.record import format_turn

#: So many pieces are taken away in one search, those included that have to be put back.
MOST_STEPS = 2000

#: What each colour has placed, by the ids of the placements.
_Laid = Mapping[str, tuple[int, ...]]


class CutShortError(Exception):
    """No order was found in `MOST_STEPS` steps, and there are orders that were not tried."""


def turns_to(target: Position) -> tuple[str, ...] | None:
    """Return the turns of a game in which the pieces of a position are placed and its colour is to play then.

    None where there is no such game. Every turn is lawful. Which of several orders it is, nothing says; it is always
    the same.

    Raises:
        CutShortError: whether there is one was not found out in `MOST_STEPS` steps.

    Rule: R3, R4, R5, R6, R7

    """
    laid = _laid(target)
    owns, stages = _owns(target, laid), _stages(target, laid)
    if owns is None or stages is None:
        return None
    for order in _Search(owns, stages).orders():
        if (there := _played(target, order)) is not None:
            return tuple(map(format_turn, there.history))
    return None


def _chosen(target: Position) -> tuple[str, ...] | None:
    return tuple(own[0] for own in target.seats) if target.variant.choosable_colours else None


def _laid(target: Position) -> _Laid:
    table, laid = table_for(target.variant), {colour: list[int]() for colour in target.colours_in_play}
    for turn in target.history:
        if turn.colour is not None and turn.placement is not None:
            laid[turn.colour].append(table.id_of_text(str(turn.placement)))
    return {colour: tuple(sorted(ids)) for colour, ids in laid.items()}


def _with(target: Position, colour: str, ids: Sequence[int], to_play: str) -> Position:
    """Return the board of the position with some pieces of one colour alone."""
    placed = [(colour, target.placement(one)) for one in ids]
    return Position.setup(target.variant, placed, to_play, _chosen(target), target.scoring)


@dataclass(frozen=True)
class _Own:
    """The pieces of a colour, each a bit of its own among those of all colours."""

    colour: str
    #: By bit the id of the placement and the pieces at its corners.
    ids: Mapping[int, int]
    joined: Mapping[int, int]
    #: The pieces that may have been placed first.
    starts: int

    def is_joined(self, kept: int) -> bool:
        """Return whether these pieces may have been placed before all others: by corners, from a start."""
        found, fresh = 0, kept & self.starts
        # From one alone, for the first piece is the only one that needs no corner.
        fresh &= -fresh
        while fresh:
            found |= fresh
            fresh = _joined(self.joined, fresh) & kept & ~found
        return found == kept


def _joined(joined: Mapping[int, int], pieces: int) -> int:
    reached = 0
    for bit in _bits(pieces):
        reached |= joined[bit]
    return reached


def _bits(pieces: int) -> Iterator[int]:
    while pieces:
        lowest = pieces & -pieces
        yield lowest
        pieces ^= lowest


def _owns(target: Position, laid: _Laid) -> tuple[_Own, ...] | None:
    """Return the pieces of every colour; None where those of one touch, or are apart, as no game places them."""
    owns, first = list[_Own](), 0
    for colour, ids in laid.items():
        bits = {1 << first + number: one for number, one in enumerate(ids)}
        first += len(ids)
        alone = {bit: _with(target, colour, [one], colour) for bit, one in bits.items()}
        every = sum(bits)
        joined = {bit: _among(bits, each.legal_mask(colour)) for bit, each in alone.items()}
        untouched = (_among(bits, each.open_mask(colour)) | bit for bit, each in alone.items())
        starts = _among(bits, _with(target, colour, (), colour).legal_mask(colour))
        own = _Own(colour, bits, joined, starts)
        if any(others != every for others in untouched) or not own.is_joined(every):
            return None
        owns.append(own)
    return tuple(owns)


def _among(bits: Mapping[int, int], placements: int) -> int:
    """Return which of the pieces are in a set of placements."""
    return sum(bit for bit, one in bits.items() if placements >> one & 1)


@dataclass(frozen=True)
class _Stage:
    """When a colour passed: how much each had placed by then, and sets of pieces of each of which one lay there.

    A set is of what covers one placement that the colour would have had. Those of the stages before are among them.
    """

    counts: tuple[int, ...]
    needs: tuple[int, ...]


def _stages(target: Position, laid: _Laid) -> tuple[_Stage, ...] | None:
    """Return when colours passed, the last first; None where one passed that has room, or there are too few turns."""
    turns = _turns_of_each(target, laid)
    if turns is None:
        return None
    colours = list(laid)
    passes = [(own, at) for at, each in enumerate(colours) for own in _passed_in(target, len(laid[each]), turns[each])]
    stages, needs = list[_Stage](), frozenset[int]()
    for before, last in sorted(passes):
        counts = tuple(min(len(laid[each]), before + (at < last)) for at, each in enumerate(colours))
        needs = _least({*needs, *_covers(target, laid, colours[last])})
        if 0 in needs:
            return None
        stages.append(_Stage(counts, tuple(sorted(needs))))
    return tuple(reversed(stages))


def _passed_in(target: Position, own: int, turns: int) -> range:
    """Return after how many turns of its own a colour passed: once, or as often as it did where a pass may end a game.

    What lay there at later passes matters there alone.
    """
    return range(own, turns if target.variant.ends_by_trailing_pass else min(own + 1, turns))


def _turns_of_each(target: Position, laid: _Laid) -> Mapping[str, int] | None:
    """Return how many turns each colour has had; None where it is no colour's turn.

    They are as few as can be: one round more, and all would have passed in it.
    """
    colours = list(laid)
    if target.colour not in colours:
        return None
    now = colours.index(target.colour)
    rounds = max([0, *(len(laid[each]) - (at < now) for at, each in enumerate(colours))])
    return {each: rounds + (at < now) for at, each in enumerate(colours)}


def _covers(target: Position, laid: _Laid, colour: str) -> Iterator[int]:
    """Yield, for each placement that a colour would have on an otherwise empty board, the pieces that cover it."""
    first, covered = 0, dict[int, int]()
    for other, ids in laid.items():
        before = _with(target, colour, laid[colour], other)
        room = before.legal_mask(colour)
        covered = covered or dict.fromkeys(ids_of(room), 0)
        for number, one in enumerate(ids if other != colour else ()):
            for way in ids_of(room & ~before.play_id(one, trusted=True).legal_mask(colour)):
                covered[way] |= 1 << first + number
        first += len(ids)
    yield from covered.values()


def _least(needs: set[int]) -> frozenset[int]:
    """Return the sets that contain no other: where these are met, all are."""
    least = list[int]()
    for need in sorted(needs, key=int.bit_count):
        if not any(one & need == one for one in least):
            least.append(need)
    return frozenset(least)


@dataclass
class _Search:
    """Pieces are taken away, in the reverse of the order in which a game may have placed them."""

    owns: tuple[_Own, ...]
    stages: tuple[_Stage, ...]
    taken: list[int] = field(default_factory=list)
    steps: int = 0
    #: What lay there at stages from which no way leads on.
    dead: set[tuple[int, int]] = field(default_factory=set)

    def orders(self) -> Iterator[Mapping[str, list[int]]]:
        """Yield orders in which each colour may place its pieces, from the last to the first."""
        every = sum(bit for own in self.owns for bit in own.ids)
        for kept in self._ways(0, every, 0):
            taken = [*self.taken, *self._rest(kept)]
            yield {own.colour: [own.ids[bit] for bit in taken if bit in own.ids] for own in self.owns}

    def _ways(self, number: int, kept: int, fixed: int) -> Iterator[int]:
        """Yield what is left after the last stage; of the pieces that are fixed none is taken before the next."""
        if number == len(self.stages):
            yield kept
            return
        stage = self.stages[number]
        sole = _sole(stage.needs, kept)
        chosen = self._most_pressing(stage, kept, fixed | sole)
        if chosen is None:
            if (number, kept) not in self.dead:
                yield from self._ways(number + 1, kept, 0)
                self.dead.add((number, kept))
            return
        for bit in sorted(chosen, key=lambda one: _weight(stage.needs, kept, one)):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise CutShortError
            self.taken.append(bit)
            yield from self._ways(number, kept ^ bit, fixed)
            self.taken.pop()
            # All that comes of taking it has been tried.
            fixed |= bit

    def _most_pressing(self, stage: _Stage, kept: int, fixed: int) -> list[int] | None:
        """Return what can be taken of the colour with the least choice; None where the stage is reached."""
        best: list[int] | None = None
        for own, count in zip(self.owns, stage.counts, strict=True):
            mine = kept & sum(own.ids)
            too_many = mine.bit_count() - count
            if not too_many:
                continue
            if (mine & ~fixed).bit_count() < too_many:
                return []
            ways = [bit for bit in _bits(mine & ~fixed) if own.is_joined(mine ^ bit)]
            if best is None or len(ways) < len(best):
                best = ways
        return best

    def _rest(self, kept: int) -> Iterator[int]:
        """Yield what is left from before all passes, in an order in which it can be taken."""
        for own in self.owns:
            mine = kept & sum(own.ids)
            while mine:
                bit = next(bit for bit in _bits(mine) if own.is_joined(mine ^ bit))
                yield bit
                mine ^= bit


def _sole(needs: tuple[int, ...], kept: int) -> int:
    """Return the pieces without which a set would have none left."""
    sole = 0
    for need in needs:
        left = need & kept
        if left & (left - 1) == 0:
            sole |= left
    return sole


def _weight(needs: tuple[int, ...], kept: int, bit: int) -> float:
    """Return how much the sets hang on a piece."""
    return sum(0.5 ** (need & kept).bit_count() for need in needs if need & bit)


def _played(target: Position, order: Mapping[str, list[int]]) -> Position | None:
    """Return the position at the end of a game with these pieces, None if the rules do not allow it."""
    position = Position.start(target.variant, _chosen(target), target.scoring)
    left = {colour: list(ids) for colour, ids in order.items()}
    try:
        while any(left.values()) or position.colour != target.colour:
            mine = left.get(position.colour or "")
            position = position.play_id(mine.pop()) if mine else position.pass_turn()
    except RulesError:
        return None
    return position
