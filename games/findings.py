"""What an engine found about a position, as it is kept: values to and from JSON. Words are made of them by others.

A finding is kept as {"number", "seat", "values", "legal", "best": [rated, ...], "played": rated}: the move that was
due, each seat's chance of winning before it, how many placements each colour had, the best placements, and what was
played; with "proved": true where all that could follow was looked through. A rated placement is {"placement", "value",
"reasons": [[effect, colour, count], ...], "legal"}: what the seat to play may expect of it (null where it was not
looked at), what it does, and how many placements each colour has after it. Advice is kept as a list of rated
placements.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import NotRequired, TypedDict

#: Places this number of cells.
SIZE = "size"
#: Opens this number of corners to its own colour.
OPENS = "opens"
#: Opens this number of corners to its own colour that lie nearer to the middle than all that it had.
NEARS = "nears"
#: Covers this number of corners of another colour.
TAKES = "takes"
#: Leaves another colour this number of placements fewer.
HAMPERS = "hampers"
#: Gives its own colour this number of placements more.
FREES = "frees"
#: Closes no corner of its own colour but those that it covers.
KEEPS = "keeps"
#: Leaves the same player's other colour this number of placements.
SPARES = "spares"


@dataclass(frozen=True)
class Merit:
    """One thing that a placement does: one of the constants above, another colour if it is about one, and how many."""

    effect: str
    colour: str
    count: int


class RatedPlacementData(TypedDict):
    """A rated placement as it is kept."""

    placement: str
    value: float | None
    reasons: list[tuple[str, str, int]]
    legal: dict[str, int]


class FindingData(TypedDict):
    """A finding as it is kept."""

    number: int
    seat: int
    values: list[float]
    legal: dict[str, int]
    best: list[RatedPlacementData]
    played: RatedPlacementData
    proved: NotRequired[bool]


@dataclass(frozen=True)
class RatedPlacement:
    """A placement with what is known of it. `legal` are the placements that each colour has after it."""

    placement: str
    value: float | None = None
    reasons: tuple[Merit, ...] = ()
    legal: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> RatedPlacementData:
        """Return the rated placement as it is kept."""
        reasons = [astuple(reason) for reason in self.reasons]
        return {"placement": self.placement, "value": self.value, "reasons": reasons, "legal": dict(self.legal)}

    @classmethod
    def of_json(cls, kept: RatedPlacementData) -> "RatedPlacement":
        """Return the rated placement that was kept so."""
        return cls(
            kept["placement"],
            kept["value"],
            tuple(Merit(*reason) for reason in kept["reasons"]),
            kept["legal"],
        )


@dataclass(frozen=True)
class Finding:
    """What was found about the position before a placement. `values` are the chances by seat, 0 to 1.

    They are certain where `is_proved`: all that could follow was looked through.
    """

    number: int
    seat: int
    values: tuple[float, ...]
    legal: Mapping[str, int]
    best: tuple[RatedPlacement, ...]
    played: RatedPlacement
    is_proved: bool = False

    def to_json(self) -> FindingData:
        """Return the finding as it is kept."""
        kept: FindingData = {
            "number": self.number,
            "seat": self.seat,
            "values": list(self.values),
            "legal": dict(self.legal),
            "best": [choice.to_json() for choice in self.best],
            "played": self.played.to_json(),
        }
        if self.is_proved:
            kept["proved"] = True
        return kept

    @classmethod
    def of_json(cls, kept: FindingData) -> "Finding":
        """Return the finding that was kept so."""
        return cls(
            number=kept["number"],
            seat=kept["seat"],
            values=tuple(kept["values"]),
            legal=kept["legal"],
            best=tuple(map(RatedPlacement.of_json, kept["best"])),
            played=RatedPlacement.of_json(kept["played"]),
            is_proved=kept.get("proved", False),
        )
