"""What a browser may say on a socket: one small JSON object, now and then. Everything else closes the socket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

#: A heartbeat has 32 characters.
MAX_LENGTH = 256

#: Frames a socket may send at once, and the seconds after which it may send one more.
BURST, REFILL = 20, 2.0

#: Close codes: those of RFC 6455, section 7.4.1, as private ones. Daphne sends 1000 and what is from 3000 on; any other
#: is an error of ours in its log, and 1011 for the browser.
UNSUPPORTED, UNREADABLE, AGAINST_POLICY, TOO_BIG = 4003, 4007, 4008, 4009

#: Close code of a web process that ends while the site goes on (1012, registered after that RFC).
RESTARTING = 4012


class FrameError(Exception):
    """A frame that closes its socket, with the code that says why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Ping:
    """A heartbeat; `is_looking` says whether the page is visible to its reader."""

    is_looking: bool


def parse_ping(message: Mapping[str, Any]) -> Ping:
    """Return the heartbeat in an ASGI `websocket.receive` message.

    Raises:
        FrameError: too long, binary, unreadable, or anything but a heartbeat.

    """
    text, data = message.get("text"), message.get("bytes")
    if len(text or data or "") > MAX_LENGTH:
        raise FrameError(TOO_BIG)
    if not isinstance(text, str):
        raise FrameError(UNSUPPORTED)
    content = _read(text)
    if not isinstance(content, dict) or content.get("type") != "ping":
        raise FrameError(AGAINST_POLICY)
    return Ping(content.get("looking") is True)


def _read(text: str) -> object:
    # json raises three kinds of error: unreadable and overlong numbers are ValueErrors, depth is a RecursionError.
    try:
        content: object = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FrameError(UNREADABLE) from None
    return content


def _refuse(_name: str) -> NoReturn:
    raise ValueError


class Budget:
    """How many frames a socket may still send: a bucket that refills with time."""

    def __init__(self, now: float) -> None:
        self._left = float(BURST)
        self._at = now

    def spend(self, now: float) -> None:
        """Count one frame that arrived at `now`, in seconds of any steady clock.

        Raises:
            FrameError: there were too many.

        """
        self._left = min(BURST, self._left + (now - self._at) / REFILL) - 1
        self._at = now
        if self._left < 0:
            raise FrameError(AGAINST_POLICY)
