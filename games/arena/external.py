"""Engines of other programs, which speak the dialect of the Go Text Protocol that `pentobi-gtp` speaks.

Cells are named alike there and here, and a game's name and the signs of its colours are those of its records.
"""

import shlex

from games.arena.errors import ArenaError, Failed
from games.arena.players import Choice
from games.arena.program import Program
from games.rules import Placement, Position, UnreadablePlacement
from games.rules.records.dialect import colour_sign, game_name, has_blksgf
from games.rules.variants import get_variant

PREFIX = "gtp:"
_PLAIN_OPTIONS = ("--quiet", "--nobook", "--noresign", "--threads", "1")


def command_of(spec: str) -> list[str]:
    """Return how the program of a player is started.

    `gtp:/path/to/program:3` is started as Pentobi is at its level 3, without book, resignation or second thread;
    `gtp:/path/to/program --its options` as it is written.
    """
    text = spec.removeprefix(PREFIX)
    path, _colon, level = text.rpartition(":")
    return [path, *_PLAIN_OPTIONS, "--level", level] if path and level.isdecimal() else shlex.split(text)


def check_variant(variant: str) -> None:
    """Refuse a variant that has no name in the dialect, and one with named opening pieces, of which that cannot tell.

    Raises:
        ArenaError: so it is.

    """
    if not has_blksgf(get_variant(variant)) or get_variant(variant).named_pieces:
        raise ArenaError(f"Other programs do not play {variant}: the protocol has no name for it.")


class ExternalPlayer:
    """Plays the moves of another program, which is started here and ended by `close`.

    With `most_ms` a move that took the program more milliseconds of CPU than that is none.
    """

    def __init__(self, spec: str, *, limit: float, most_ms: int = 0) -> None:
        command = command_of(spec)
        if not command:
            raise ArenaError(f"{spec} names no program.")
        self._program = Program(command, limit=limit)
        self._most_ms = most_ms

    def begin(self, position: Position, seed: int) -> None:
        """Clear its board for the variant and seed its luck."""
        self._variant = position.variant
        self._program.tell(f"set_game {game_name(self._variant)}")
        self._program.tell("clear_board")
        self._program.tell(f"set_random_seed {seed}")

    def observe(self, colour: str, placement: Placement) -> None:
        """Play it on the program's board."""
        cells = str(placement).rpartition(":")[2]
        self._program.tell(f"play {colour_sign(self._variant, colour)} {cells}")

    def choose(self, position: Position) -> Choice:
        """Return what the program plays, and the CPU time it took for that."""
        command = f"genmove {colour_sign(self._variant, position.colour or '')}"
        before = self._program.cpu_seconds
        done, text = self._program.ask(command)
        after = self._program.cpu_seconds
        if not done:
            raise Failed(f"found no move: {text}")
        if text.lower() in ("pass", "resign"):
            raise Failed(f"answered {text} although it could place")
        seconds = None if before is None or after is None else after - before
        if self._most_ms and seconds is not None and 1000 * seconds > self._most_ms:
            raise Failed(f"took {1000 * seconds:.0f} ms of CPU for a move, and has {self._most_ms} ms")
        return Choice(self._placement(command, text), seconds)

    def _placement(self, command: str, text: str) -> Placement:
        try:
            return Placement.parse(text, self._variant)
        except UnreadablePlacement as error:
            raise self._program.nonsense(command, text) from error

    def close(self) -> None:
        """End the program."""
        self._program.close()
