"""What an engine found about a position, as it is kept: values to and from JSON. Words are made of them by others.

A finding is kept as {"number", "seat", "values", "legal", "best": [choice, ...], "played": choice}: the move that was
due, each seat's chance of winning before it, how many placements each colour had, the best placements, and what was
played. A choice is {"placement", "value", "reasons": [[kind, colour, count], ...], "legal"}: what the seat to play may
expect of it (null where it was not looked at), what it does, and how many placements each colour has after it. Advice
is kept as a list of choices.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

#: Places so many cells.
SIZE = "size"
#: Opens so many corners to its own colour.
OPENS = "opens"
#: Covers so many corners of another colour.
TAKES = "takes"
#: Leaves another colour so many placements fewer.
HAMPERS = "hampers"
#: Gives its own colour so many placements more.
FREES = "frees"
#: Closes no corner of its own colour but those that it covers.
KEEPS = "keeps"
#: Leaves the same player's other colour so many placements.
SPARES = "spares"


@dataclass(frozen=True)
class Reason:
    """One thing that a placement does: its kind, whose colour it is about if another's, and how many."""

    kind: str
    colour: str
    count: int


@dataclass(frozen=True)
class Choice:
    """A placement with what is known of it. `legal` are the placements that each colour has after it."""

    placement: str
    value: float | None = None
    reasons: tuple[Reason, ...] = ()
    legal: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the choice as it is kept."""
        reasons = [[reason.kind, reason.colour, reason.count] for reason in self.reasons]
        return {"placement": self.placement, "value": self.value, "reasons": reasons, "legal": dict(self.legal)}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "Choice":
        """Return the choice that was kept so."""
        return cls(
            kept["placement"], kept["value"], tuple(Reason(*reason) for reason in kept["reasons"]), kept["legal"]
        )


@dataclass(frozen=True)
class Finding:
    """What was found about the position before a placement. `values` are the chances by seat, 0 to 1."""

    number: int
    seat: int
    values: tuple[float, ...]
    legal: Mapping[str, int]
    best: tuple[Choice, ...]
    played: Choice

    def to_json(self) -> dict[str, Any]:
        """Return the finding as it is kept."""
        best = [choice.to_json() for choice in self.best]
        return {**asdict(self), "values": list(self.values), "best": best, "played": self.played.to_json()}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "Finding":
        """Return the finding that was kept so."""
        return cls(
            number=kept["number"],
            seat=kept["seat"],
            values=tuple(kept["values"]),
            legal=kept["legal"],
            best=tuple(map(Choice.of_json, kept["best"])),
            played=Choice.of_json(kept["played"]),
        )
