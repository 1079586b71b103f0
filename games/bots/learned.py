"""The learned engine: what `games.learning.train` has made, a file of weights, looking one placement ahead."""

import base64
import binascii
import hashlib
import json
import os
import stat
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.bots.engines.arguments import InvalidCallError, check_can_place, whole_number
from games.bots.engines.compiled import fractions, numbers
from games.bots.engines.protocol import Answer, dice
from games.bots.engines.scorer import score_by_network, scorer_of, weight_count
from games.bots.engines.state import legal, rules_of, state_of
from games.bots.engines.tables import tables_of
from games.rules import Position

#: What the first field of a file says, and the number of the format, raised when older files mean something else.
FORMAT, EDITION = "block-you learned engine", 1

#: The widest network that a file may hold.
WIDEST = 256

#: The largest file that is read, in bytes: many times one of the widest network.
LARGEST_FILE = 8 << 20

#: The file that comes along, of Duo.
SHIPPED = Path(__file__).with_name("learned-duo.json")

#: A colour's first placements are drawn among the best few, so that games differ.
VARIED, FEW_BEST = 2, 3


class LearnedFileError(ValueError):
    """A file holds no complete learned engine; the message says what to do."""


@dataclass(frozen=True)
class Learned:
    """What a file holds: the weights of a network of that width, and `about`, how they were learned."""

    width: int
    weights: tuple[float, ...] = field(repr=False)
    about: Mapping[str, Any]


@dataclass(frozen=True)
class LearnedEngine:
    """Makes the placement that a network trained by self-play scores highest.

    `file` is what `python -m games.learning.train` has written; by default the one that the variable LEARNED_FILE
    names, and without it the one of Duo that comes along.
    """

    file: str = ""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement of the highest score; of equals, and early in the game of the best few, one is drawn.

        Raises:
            LearnedFileError: there is no such file, or it holds no learned engine.
            InvalidCallError: the colour to play can place nothing.

        """
        check_can_place(position)
        is_named = not isinstance(self.file, str) or self.file
        learned = read_learned(self.file if is_named else os.environ.get("LEARNED_FILE") or str(SHIPPED))
        tables, rules = tables_of(position), rules_of(position)
        state, scorer = state_of(position, tables, rules), scorer_of(position, rules, learned.weights, learned.width)
        found = numbers([0] * len(tables.piece))
        colour = position.variant.colour_number(position.colour or "")
        count = legal(tables, rules, state, colour, found)
        sums, scores = fractions(count * learned.width), fractions(count)
        best = score_by_network(tables, rules, state, scorer, colour, found, count, sums, scores)
        if state.placed[colour] < VARIED:
            best = sorted(scores)[-FEW_BEST:][0]
        equals = [int(found[i]) for i in range(count) if scores[i] >= best]
        return Answer(position.placement(dice(seed, number).choice(equals)))


def read_learned(file: str) -> Learned:
    """Return what a file holds. It is read anew only when it has changed.

    Raises:
        LearnedFileError: there is no such file, it is of another kind or edition, or its weights are damaged.

    """
    try:
        found = Path(file).stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            raise LearnedFileError(_NO_ENGINE.format(_named(file)))
        return _read(str(file), found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise LearnedFileError(f"The learned engine {_named(file)} cannot be read: {error.strerror}.") from error
    except LearnedFileError:
        raise
    except (TypeError, ValueError) as error:
        raise LearnedFileError("The learned engine has to be named by the path of a file.") from error


def _named(file: object) -> str:
    """Return a file's name for a message: the end of a very long one."""
    name = str(file)
    return name if len(name) <= _LONGEST_NAME else f"…{name[-_LONGEST_NAME:]}"


_LONGEST_NAME = 300
_NO_ENGINE = "{} is no learned engine. Name a file that games.learning.train has written."


@lru_cache(maxsize=4)
def _read(file: str, _changed: int, _size: int) -> Learned:
    try:
        held = json.loads(Path(file).read_bytes())
    except (ValueError, RecursionError):
        # Lists within lists, by the hundred thousand, are no text of ours either.
        held = None
    if not isinstance(held, dict) or held.get("format") != FORMAT:
        raise LearnedFileError(_NO_ENGINE.format(_named(file)))
    edition = held.get("edition")
    if edition != EDITION:
        named = edition if isinstance(edition, int) and 0 <= edition < 10**9 else "unknown"
        raise LearnedFileError(
            f"{_named(file)} is of edition {named}, and edition {EDITION} is needed. Learn it again."
        )
    try:
        return _decoded(held)
    except (KeyError, TypeError, ValueError, binascii.Error, struct.error) as error:
        raise LearnedFileError(f"{_named(file)} is damaged: its weights are not those that were written.") from error


def _decoded(held: Mapping[str, Any]) -> Learned:
    width, packed = held["width"], base64.b64decode(held["weights"], validate=True)
    if not (isinstance(width, int) and 0 < width <= WIDEST and isinstance(held["about"], dict)):
        raise ValueError("no such width, or nothing told")
    if _digest(width, packed) != held["digest"]:
        raise ValueError("another digest")
    weights = struct.unpack(f"<{weight_count(width)}f", packed)
    if not all(-1e6 < weight < 1e6 for weight in weights):
        raise ValueError("weights out of bounds")
    return Learned(width, weights, held["about"])


def write_learned(file: Path, width: int, weights: Sequence[float], about: Mapping[str, Any]) -> None:
    """Write a learned engine to a file, all or nothing: `weight_count(width)` weights, kept as 32 bits each.

    Raises:
        OSError: it cannot be written there.
        InvalidCallError: there are more or fewer weights, one is no number of 32 bits, no network is of that width, or
            `about` cannot be written as JSON.

    """
    width = whole_number("The width of a network", width, 1, WIDEST)
    try:
        if len(weights) != weight_count(width):
            raise ValueError(f"there are {len(weights)}")
        packed = struct.pack(f"<{weight_count(width)}f", *weights)
        text = json.dumps(
            {
                "format": FORMAT,
                "edition": EDITION,
                "about": dict(about),
                "width": width,
                "digest": _digest(width, packed),
                "weights": base64.b64encode(packed).decode("ascii"),
            },
            indent=1,
        )
    except (struct.error, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidCallError(
            f"Give {weight_count(width)} numbers as weights, and what can be written as JSON about them: {error}."
        ) from error
    new = file.with_name(f"{file.name}.new")
    new.write_text(f"{text}\n", "utf-8")
    new.replace(file)


def _digest(width: int, packed: bytes) -> str:
    return hashlib.sha256(width.to_bytes(2, "big") + packed).hexdigest()
