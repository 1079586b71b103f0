"""Bringing a piece to a place that is given, as people do who look at the page: by an unsteady finger, or by keys.

Targets are drawn from the placements that the server lists; where the piece hovers is read from the picture, by asking
which cells' middles lie in it. So nothing here trusts the page's look-ups.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playwright.sync_api import Page

#: How far a fingertip is off, in pixels: the standard deviation on each axis.
SIGMA = 8

# The cells covered by the ghost, the form that is marked, and whether Place can be pressed.
STATE = """() => {
  const shape = document.querySelector("#ghost .ghost__shape");
  const matrix = document.querySelector("#turning").getScreenCTM();
  const marked = [...document.querySelectorAll(".strip__form")].findIndex((one) => one.ariaPressed === "true");
  const cells = !shape ? [] : window.spots.flatMap(([x, y], cell) => {
    const point = document.querySelector("#board").createSVGPoint();
    [point.x, point.y] = [x, y];
    return shape.isPointInFill(point) ? [cell] : [];
  });
  const canPlace = !document.querySelector(".actions__place").disabled;
  return { cells, form: marked, canPlace, matrix: [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f] };
}"""

# A tap becomes a click a moment later: people look before they tap again.
SEEN = "() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))"

SPOTS = """() => {
  const shapes = JSON.parse(document.querySelector("#shapes").textContent);
  const { column, row, width, height, kinds, phase } = shapes;
  window.spots = Array.from({ length: width * height }, (_, cell) => {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const [mx, my] = kinds[(x + y + phase) % kinds.length].middle;
    return [column * x + mx, row * (height - y) + my];
  });
  return { spots: window.spots, width, forms: Object.fromEntries(Object.entries(shapes.pieces).map(
    ([piece, { forms }]) => [piece, forms])) };
}"""


@dataclass(frozen=True)
class Target:
    """A legal placement to bring a piece to: its form in the strip and the places it covers, counted row by row."""

    piece: str
    form: int
    cells: tuple[int, ...]


@dataclass
class Board:
    """The page of a game in which it is my turn."""

    page: Page

    @cached_property
    def shapes(self) -> dict[str, Any]:
        """Return where the middle of each place lies in the picture, and the forms of the pieces."""
        found: dict[str, Any] = self.page.evaluate(SPOTS)
        return found

    @property
    def state(self) -> dict[str, Any]:
        """Return what the page shows of the piece in the hand."""
        found: dict[str, Any] = self.page.evaluate(STATE)
        return found

    def targets(self, count: int, seed: int) -> list[Target]:
        """Return legal placements by chance, of my colour that is to play; each piece is as likely."""
        position = json.loads(self.page.locator("#position").text_content() or "")
        legal = position["colours"][position["toPlay"]]["legal"]
        chance = random.Random(seed)
        return [self._target(legal, chance.choice(sorted(legal)), chance) for _ in range(count)]

    def _target(self, legal: dict[str, dict[str, list[int]]], piece: str, chance: random.Random) -> Target:
        form = chance.choice(sorted(legal[piece]))
        steps = legal[piece][form]
        anchor = sum(steps[: chance.randrange(len(steps)) + 1])
        width = self.shapes["width"]
        cells = [anchor + x + width * y for x, y in self.shapes["forms"][piece][int(form)]]
        return Target(piece, int(form), tuple(sorted(cells)))

    def middle(self, cells: tuple[int, ...] | list[int]) -> tuple[float, float]:
        """Return the middle of some places in units of the picture."""
        spots = [self.shapes["spots"][cell] for cell in cells]
        return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)

    def choose_first(self, count: int) -> None:
        """Play so many times the first piece that fits, so that the board has something on it."""
        for _ in range(count):
            version = self.page.locator("#game").get_attribute("data-version")
            self.page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.click()
            self.page.locator(".actions__place").click()
            self.page.wait_for_selector(f"#game:not([data-version='{version}']) #place[data-my-turn]", timeout=90_000)


@dataclass
class Finger:
    """A finger that never quite hits what it is meant to hit."""

    board: Board
    chance: random.Random
    taps: int = 0

    def at(self, x: float, y: float) -> None:
        """Tap near a point of the screen."""
        self.taps += 1
        self.board.page.touchscreen.tap(x + self.chance.gauss(0, SIGMA), y + self.chance.gauss(0, SIGMA))
        self.board.page.evaluate(SEEN)

    def on(self, selector: str) -> None:
        """Tap near the middle of something on the page."""
        box = self.board.page.locator(selector).first.bounding_box()
        assert box, selector
        self.at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def bring(self, target: Target, limit: int = 40) -> int:
        """Bring a piece to its target and return the taps it took after the piece was chosen."""
        slot = f".tray:not([hidden]) button.slot[value='{target.piece}']"
        while self.board.page.locator(f"{slot}[aria-pressed=true]").count() == 0:
            self.on(slot)
        before = self.taps
        while (state := self.board.state)["cells"] != list(target.cells):
            assert self.taps - before < limit, (target, state)
            self._correct(state, target, slot)
        assert state["canPlace"]
        return self.taps - before

    def _correct(self, state: dict[str, Any], target: Target, slot: str) -> None:
        """Make the one tap that somebody would make who sees where it is wrong."""
        if not state["cells"] or self.board.page.locator(f"{slot}[aria-pressed=true]").count() == 0:
            self.on(slot)
        elif state["form"] != target.form:
            self._show("strip")
            self.on(f".strip__form[data-form='{target.form}']")
        else:
            self._move(state, target)

    def _move(self, state: dict[str, Any], target: Target) -> None:
        a, b, c, d, e, f = state["matrix"]
        (x0, y0), (x1, y1) = self.board.middle(state["cells"]), self.board.middle(target.cells)
        right, down = a * (x1 - x0) + c * (y1 - y0), b * (x1 - x0) + d * (y1 - y0)
        if max(abs(right), abs(down)) > 40:
            self.at(a * x1 + c * y1 + e, b * x1 + d * y1 + f)
            return
        self._show("nudges")
        steps = {"1,0": right, "-1,0": -right, "0,1": -down, "0,-1": down}
        self.on(f"[data-nudge='{max(steps, key=lambda step: steps[step])}']")

    def _show(self, what: str) -> None:
        while not self.board.page.locator(f".{what}").is_visible():
            self.on("[data-view=moves]")


def keys_to(board: Board, target: Target) -> Iterator[str]:
    """Yield the keys that bring the piece in the hand to its target, one by one as the page shows what they did."""
    for key in (*"rrrrr", "f", *"rrrrr"):
        if board.state["form"] == target.form:
            break
        yield key
    for _ in range(120):
        state = board.state
        if state["cells"] == list(target.cells):
            return
        a, b, c, d, _e, _f = state["matrix"]
        (x0, y0), (x1, y1) = board.middle(state["cells"]), board.middle(target.cells)
        right, down = a * (x1 - x0) + c * (y1 - y0), b * (x1 - x0) + d * (y1 - y0)
        # Rows first: on triangles a step to another row swings to the side too.
        if abs(down) > 1:
            yield "ArrowDown" if down > 0 else "ArrowUp"
        else:
            yield "ArrowRight" if right > 0 else "ArrowLeft"
    raise AssertionError((target, board.state))
