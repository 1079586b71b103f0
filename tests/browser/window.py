"""What a person does in a browser that Playwright does not drive: look, press, drag, type (WebDriver's actions)."""

import re
from abc import ABC, abstractmethod
from itertools import pairwise
from typing import Any

#: How many pages may follow each other while something is waited for, and what browsers say of one that was left.
PAGES = 5
LEFT = re.compile("no such frame|unload|AbortError|discarded|navigat", re.IGNORECASE)
#: Milliseconds between two moves of a pointer, and how many of them lead to a point.
STEP, STEPS = 40, 8
#: Names of keys, as WebDriver writes them.
KEYS = {"Enter": "\ue007", "Home": "\ue011", "ArrowRight": "\ue014"}
# What is in sight stays where it is; the bar at the foot of a phone covers what lies below it.
BRING = """(one) => {
    const { top, bottom } = one.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight - 80) one.scrollIntoView({ block: "center", behavior: "instant" });
}"""
MIDDLE = "(box => [box.x + box.width / 2, box.y + box.height / 2])"


def steps(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Return where a pointer comes by on a straight way, its end last."""
    share = [number / STEPS for number in range(1, STEPS + 1)]
    return [
        (round(start[0] + part * (end[0] - start[0])), round(start[1] + part * (end[1] - start[1]))) for part in share
    ]


class Window(ABC):
    """One window of a browser."""

    @abstractmethod
    def go(self, address: str) -> None:
        """Open an address, and wait until it is there."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """Return what an expression comes to; one that promises it is waited for."""

    @abstractmethod
    def act(self, *sources: dict[str, Any]) -> None:
        """Let devices do what they are told, all at once."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""

    def wait_for(self, condition: str) -> None:
        """Wait until an expression is true, looking every tenth of a second in the page and in those that follow."""
        look = (
            "new Promise((done) => { const look = async () => "
            f"(await ({condition})) ? done(true) : setTimeout(look, 100); look(); }})"
        )
        for _ in range(PAGES):
            try:
                self.run(look)
            except RuntimeError as error:
                if not LEFT.search(str(error)):
                    raise
            else:
                return
        raise AssertionError(f"not on {PAGES} pages: {condition}")

    def middle(self, selector: str) -> tuple[int, int]:
        """Return where the middle of the first such element is, once one can be seen; it is scrolled to."""
        found = f"[...document.querySelectorAll({selector!r})].find((one) => one.getClientRects().length)"
        # Letters that arrive move what is below them.
        self.wait_for(f"Boolean({found}) && document.readyState === 'complete' && document.fonts.status === 'loaded'")
        self.run(f"({BRING})({found})")
        x, y = (round(float(self.run(f"{MIDDLE}({found}.getBoundingClientRect())[{axis}]"))) for axis in (0, 1))
        return x, y

    def press(self, selector: str) -> None:
        """Press the first such element that can be seen."""
        self.drag(self.middle(selector))

    def drag(self, *points: tuple[int, int], kind: str = "mouse") -> None:
        """Press at the first point, go over the others and let go at the last."""
        x, y = points[0]
        way = [between for start, end in pairwise(points) for between in steps(start, end)]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": STEP} for x, y in way]
        actions = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
            *moves,
            {"type": "pointerUp", "button": 0},
        ]
        self.act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions})

    def type(self, *keys: str) -> None:
        """Press keys one after another, each by its name or its letter."""
        pressed = [KEYS.get(key, key) for key in keys]
        actions = [{"type": what, "value": key} for key in pressed for what in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keys", "actions": actions})
