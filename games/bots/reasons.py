"""What a placement does, and which of that speaks for it most. Knows the rules alone.

An engine has no words for its choice: it has counted games. What can be said is what the placement does to the board
and by what it stands out among the others there were; that is given as its reason.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.findings import FREES, HAMPERS, KEEPS, NEARS, OPENS, SIZE, SPARES, TAKES, Merit
from games.rules import Placement, Position, Variant

#: How much of each kind makes as good a reason as another. Counts of placements are given as parts of all there were.
WEIGHTS = {SIZE: 0.5, OPENS: 0.7, NEARS: 0.6, TAKES: 1.0, HAMPERS: 6.0, FREES: 3.0, KEEPS: 0.7, SPARES: 3.0}

#: Other placements that one is compared with.
COMPARED = 16

#: Reasons given for a placement that is advised, and for one that a bot has made.
GIVEN, EXPLAINED = 2, 3


@dataclass(frozen=True)
class Effects:
    """What a placement does to everybody.

    `opened` are cells at which its colour may go on and could not before, `lost` those at which it no longer may,
    without those that it covers; `nearer` are those of the opened that lie nearer to the middle of the board than all
    at which it could go on before. `taken` are the cells at which other players' colours could have gone on and that it
    covers. `before` and `after` are how many placements each colour has.
    """

    size: int
    opened: int
    nearer: int
    lost: int
    taken: Mapping[str, int]
    before: Mapping[str, int]
    after: Mapping[str, int]
    colour: str
    own: tuple[str, ...]
    others: tuple[str, ...]


def effects_of(position: Position, placement: Placement) -> Effects:
    """Return the effects of a legal placement of the colour to play.

    Rule: R4, R5, R6
    """
    return ReasonFinder(position).effects_of(placement)


class ReasonFinder:
    """A position with what is the same for all its placements, counted once."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.colour, self.seat = position.colour or "", position.seat or 0
        mine = position.seats[self.seat]
        self.own = tuple(colour for colour in mine if colour != self.colour)
        self.others = tuple(
            colour
            for seat, colours in enumerate(position.seats)
            for colour in colours
            if seat != self.seat and seat not in position.retired and colour != self.colour
        )
        self.before = {colour: position.legal_count(colour) for colour in position.colours_in_play}
        self.corners = {colour: self._corners(position, colour) for colour in (self.colour, *self.others)}
        self.away = _away(position.variant)
        self.nearest = min((self.away[cell] for cell in self.corners[self.colour]), default=0.0)

    @staticmethod
    def _corners(position: Position, colour: str) -> frozenset[int]:
        return frozenset(position.attach_points(colour))

    def effects_of(self, placement: Placement) -> Effects:
        """Return what a legal placement does."""
        after, covered = self.position.play(placement), frozenset(placement.cells)
        mine, then = self.corners[self.colour], self._corners(after, self.colour)
        return Effects(
            size=len(placement.cells),
            opened=len(then - mine),
            nearer=sum(self.away[cell] < self.nearest for cell in then - mine),
            lost=len(mine - then - covered),
            taken={colour: len(self.corners[colour] & covered) for colour in self.others},
            before=self.before,
            after={colour: after.legal_count(colour) for colour in self.before},
            colour=self.colour,
            own=self.own,
            others=self.others,
        )

    def reasons_for(self, placement: Placement, others: Iterable[Placement], most: int = GIVEN) -> tuple[Merit, ...]:
        """Return what speaks most for a placement, strongest first: that by which it stands out among the others."""
        rivals = [features_of(self.effects_of(other)) for other in others if other != placement]
        return decisive(features_of(self.effects_of(placement)), rivals, most)

    def advantages_of(self, placement: Placement, other: Placement) -> tuple[Merit, ...]:
        """Return by what a placement is ahead of another, strongest first; nothing if that cannot be counted."""
        compared = _compared(features_of(self.effects_of(placement)), [features_of(self.effects_of(other))])
        return tuple(reason for lead, reason in compared if lead > 0)[:GIVEN]

    def some_others(self) -> Sequence[Placement]:
        """Return some of the legal placements, spread over all of them."""
        count = self.before.get(self.colour, 0)
        some = min(count, COMPARED)
        return [self.position.placement(self.position.nth_legal_id(count * i // some)) for i in range(some)]


@dataclass(frozen=True)
class Feature:
    """Something that a placement does, and how much that weighs. It can be a reason only if it `is_told`."""

    reason: Merit
    weight: float
    is_told: bool

    @property
    def key(self) -> tuple[str, str]:
        """Return what is compared with the same of another placement."""
        return self.reason.effect, self.reason.colour


def features_of(effects: Effects) -> tuple[Feature, ...]:
    """Return all that may be said for a placement, and how much each weighs.

    Nothing is said of the corners of a colour that has nothing to place there.
    """
    before, after, colour = effects.before, effects.after, effects.colour
    gained, goes_on = after[colour] - before[colour], after[colour] > 0
    found = [
        _counted(SIZE, "", effects.size),
        _counted(OPENS, "", effects.opened, goes_on),
        _counted(NEARS, "", effects.nearer, goes_on),
        Feature(Merit(KEEPS, "", 0), -WEIGHTS[KEEPS] * effects.lost, goes_on and effects.lost == 0),
        Feature(Merit(FREES, "", gained), WEIGHTS[FREES] * _part(gained, before[colour]), gained > 0),
    ]
    for other in effects.others:
        fewer = before[other] - after[other]
        found.append(_counted(TAKES, other, effects.taken[other], before[other] > 0))
        found.append(Feature(Merit(HAMPERS, other, fewer), WEIGHTS[HAMPERS] * _part(fewer, before[other]), fewer > 0))
    for mine in effects.own:
        part = _part(after[mine], before[mine])
        found.append(Feature(Merit(SPARES, mine, after[mine]), WEIGHTS[SPARES] * part, after[mine] > 0))
    return tuple(found)


def decisive(features: Sequence[Feature], rivals: Sequence[Sequence[Feature]], most: int = GIVEN) -> tuple[Merit, ...]:
    """Return the features that weigh most above what they weigh with the rivals; without rivals, that weigh most."""
    compared = _compared(features, rivals)
    ahead = [reason for lead, reason in compared if lead > 0]
    return tuple((ahead or [reason for _, reason in compared])[:most])


def _compared(features: Sequence[Feature], rivals: Sequence[Sequence[Feature]]) -> list[tuple[float, Merit]]:
    """Return the possible reasons, each with its lead over what it weighs with the rivals, the largest lead first."""
    usual: dict[tuple[str, str], float] = {}
    for rival in rivals:
        for feature in rival:
            usual[feature.key] = usual.get(feature.key, 0.0) + feature.weight / len(rivals)
    leads = [(feature.weight - usual.get(feature.key, 0.0), feature.reason) for feature in features if feature.is_told]
    return sorted(leads, key=lambda told: -told[0])


@lru_cache(maxsize=32)
def _away(variant: Variant) -> tuple[float, ...]:
    """Return by cell how far it lies from the middle of the board, in the lattice's own length, rounded to compare."""
    grid = variant.grid
    wide, high = grid.lattice.pitch
    middle = grid.width - 1, grid.height - 1
    return tuple(round(math.hypot((2 * x - middle[0]) * wide, (2 * y - middle[1]) * high), 6) for x, y in grid.points)


def _counted(kind: str, colour: str, count: int, is_told: bool = True) -> Feature:
    return Feature(Merit(kind, colour, count), WEIGHTS[kind] * count, is_told and count > 0)


def _part(count: int, of_all: int) -> float:
    return count / of_all if of_all else float(count > 0)
