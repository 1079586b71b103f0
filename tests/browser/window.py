"""What a person does in a browser that Playwright does not drive: look, press, drag, type (WebDriver's actions)."""

import re
from abc import ABC, abstractmethod
from typing import Any

#: How many pages may follow each other while something is waited for, and what browsers say of one that was left.
PAGES = 5
LEFT = re.compile("no such frame|unload|AbortError|discarded|navigat", re.IGNORECASE)
#: Milliseconds between two moves of a pointer.
STEP = 40
#: Names of keys, as WebDriver writes them.
KEYS = {"Enter": "\ue007", "Home": "\ue011", "ArrowRight": "\ue014"}
MIDDLE = "(box => [box.x + box.width / 2, box.y + box.height / 2])"


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
        self.wait_for(f"Boolean({found})")
        self.run(f"{found}.scrollIntoView({{ block: 'center', behavior: 'instant' }})")
        x, y = (round(float(self.run(f"{MIDDLE}({found}.getBoundingClientRect())[{axis}]"))) for axis in (0, 1))
        return x, y

    def press(self, selector: str) -> None:
        """Press the first such element that can be seen."""
        self.drag(self.middle(selector))

    def drag(self, *points: tuple[int, int], kind: str = "mouse") -> None:
        """Press at the first point, go over the others and let go at the last."""
        (x, y), *others = points
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": STEP} for x, y in others]
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
