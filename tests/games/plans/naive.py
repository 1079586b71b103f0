"""What a plan does, once more and by hand: from docs/plans.md and nothing else, over texts and sets."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from games.rules import Position


class Happened(NamedTuple):
    """One recorded move: its place among those that stand, who, which colour, and the text of what was done."""

    number: int
    seat: int
    colour: str
    text: str
    is_automatic: bool = False
    is_planned: bool = False
    bot: str = ""

    # As a `MoveRow` has it.
    @property
    def kind(self) -> str:
        return {"pass": "pass", "retire": "retire"}.get(self.text, "place")

    @property
    def placement(self) -> str:
        return self.text if self.kind == "place" else ""

    @property
    def cells(self) -> set[str]:
        return set(self.placement.partition(":")[2].split(",")) - {""}


def naive_step(
    turns: Sequence[tuple[str, list[dict[str, Any]]]],
    set_at: int,
    seat: int,
    past: Sequence[Happened],
    position: Position,
    due: int,
    can: Callable[[str], Collection[str]],
    taken_back: Sequence[int] = (),
) -> tuple[str, str]:
    """Return what becomes of a plan as `("play", move)`, `("stop", why)`, or `("wait", "")`.

    `can` says what a colour can place. `taken_back` are the numbers that were due whenever moves were taken back: a
    move's number, and that of a plan, is its place and as many more as were used up before.
    """
    spent = due - len(past) - 1
    window = [one for one in past if one.number + spent >= set_at]
    planned = {colour for colour, _choices in turns}
    owner = {cell: one.colour for one in past for cell in one.cells}
    if not turns:
        return "wait", ""
    if any(number >= set_at for number in taken_back):
        return "stop", "taken-back"
    for one in window:
        is_chosen = not (one.is_planned or one.is_automatic or one.text == "retire")
        if is_chosen and one.seat == seat and one.colour in planned and one.number + spent != set_at:
            return "stop", "stood-in" if one.bot else "moved"
    for colour, choices in turns:
        if not can(colour) and all(choice["move"] != "pass" for choice in choices):
            return "stop", "blocked"
    if position.seat != seat or position.colour not in planned or due <= set_at:
        return "wait", ""
    found = []
    for choice in next(choices for colour, choices in turns if colour == position.colour):
        theirs = [one for one in window if one.seat != seat]
        if any(corner in one.cells for one in theirs for corner in choice["corners"]):
            return "stop", "corner"
        whys = []
        for colour, text, is_made in choice["others"]:
            if all(one.colour != colour for one in window) and can(colour):
                return "stop", "undecided"
            made = any((one.colour, one.text) == (colour, text) for one in window)
            whys += [] if made == is_made else ["placed" if made else "not-placed"]
        whys += ["covered" for cell in choice["free"] if cell in owner]
        if choice["move"] == "pass":
            whys += ["can-place"] if can(position.colour) else []
        elif choice["move"] not in can(position.colour):
            whys.append("covered" if owner.keys() & set(choice["move"].partition(":")[2].split(",")) else "rules")
        if not whys:
            return "play", choice["move"]
        found.append(whys[0])
    return "stop", found[-1]
