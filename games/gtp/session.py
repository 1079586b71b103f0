"""A session of the Go Text Protocol: its commands, and the game that they are about."""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO

from games.bots.engines.protocol import Answer, Engine, Follower
from games.rules import Position
from games.rules.errors import RulesError
from games.rules.records import GameRecord, read, write_blksgf
from games.rules.records.dialect import GAMES, colour_sign, move_names
from games.rules.text import ascii_board
from games.rules.variants import COVERAGE, Variant, get_variant

_NUMBERED = re.compile(r"([0-9]+)(?:\s+|$)(.*)")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class RefusedError(Exception):
    """A command cannot be done; nothing has changed. The text says why."""


class GtpSession:
    """A game and an engine, driven by commands. Games are scored by the cells placed, as in Pentobi."""

    def __init__(self, engine: Engine, name: str, variant: Variant) -> None:
        self._engine = engine
        self._name = name
        self._seed = 1
        self._answer: Answer | None = None
        self._past: list[Position] = []
        self._position = _first(variant)
        self.has_ended = False
        self._commands: dict[str, Callable[[Sequence[str]], str]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }

    def answer(self, line: str) -> str:
        """Return the answer to a line, with the empty line at its end; nothing to a comment or an empty line."""
        plain = _CONTROL.sub("", line.partition("#")[0]).replace("\t", " ").strip()
        if not plain:
            return ""
        numbered = _NUMBERED.fullmatch(plain)
        number, rest = (numbered[1], numbered[2]) if numbered else ("", plain)
        sign, text = self._done(rest.split())
        return f"{sign}{number} {text}\n\n"

    def _done(self, words: Sequence[str]) -> tuple[str, str]:
        command = self._commands.get(words[0]) if words else None
        if command is None:
            return "?", "unknown command"
        try:
            return "=", command(words[1:]).strip("\n")
        except (RefusedError, RulesError, OSError, UnicodeError) as error:
            return "?", " ".join(str(error).split())

    def _do_protocol_version(self, _words: Sequence[str]) -> str:
        return "2"

    def _do_name(self, _words: Sequence[str]) -> str:
        return f"Block-You {self._name}"

    def _do_version(self, _words: Sequence[str]) -> str:
        return "1"

    def _do_known_command(self, words: Sequence[str]) -> str:
        return "true" if _single(words) in self._commands else "false"

    def _do_list_commands(self, _words: Sequence[str]) -> str:
        return "\n".join(sorted(self._commands))

    def _do_quit(self, _words: Sequence[str]) -> str:
        self.has_ended = True
        return ""

    def _do_cputime(self, _words: Sequence[str]) -> str:
        return f"{time.process_time():.3f}"

    def _do_set_random_seed(self, words: Sequence[str]) -> str:
        self._seed = _number(_single(words))
        return ""

    def _do_set_game(self, words: Sequence[str]) -> str:
        name = " ".join(words)
        self._restart(_first(get_variant(GAMES.get(name, name))))
        return ""

    def _do_clear_board(self, _words: Sequence[str]) -> str:
        self._restart(_first(self._position.variant))
        return ""

    def _do_play(self, words: Sequence[str]) -> str:
        if len(words) != len(("colour", "move")):
            raise RefusedError("expected a colour and a move")
        if words[1].lower() == "pass":
            position = self._at_turn(words[0])
            position.pass_turn()
            return ""
        self._go_on(self._at_turn(words[0]).play(words[1]))
        return ""

    def _do_p(self, words: Sequence[str]) -> str:
        return self._do_play([self._sign_to_play(), _single(words)])

    def _do_genmove(self, words: Sequence[str]) -> str:
        return self._generated(_single(words), keep=True)

    def _do_g(self, _words: Sequence[str]) -> str:
        return self._generated(self._sign_to_play(), keep=True)

    def _do_reg_genmove(self, words: Sequence[str]) -> str:
        return self._generated(_single(words), keep=False)

    def _do_undo(self, _words: Sequence[str]) -> str:
        if not self._past:
            raise RefusedError("cannot undo")
        self._position = self._past.pop()
        self._answer = None
        return ""

    def _do_showboard(self, _words: Sequence[str]) -> str:
        return f"\n{ascii_board(self._position)}\n{self._sign_to_play() or 'no colour'} to play"

    def _do_all_legal(self, words: Sequence[str]) -> str:
        placements = self._position.legal_placements(self._colour(_single(words)))
        return "\n".join(map(_cells, map(str, placements)))

    def _do_final_score(self, _words: Sequence[str]) -> str:
        seats = self._position.seat_scores()
        if len(seats) != len("BW"):
            return " ".join(map(str, self._position.scores().values()))
        margin = seats[0] - seats[1]
        return f"{'B' if margin > 0 else 'W'}+{abs(margin)}" if margin else "0"

    def _do_get_value(self, _words: Sequence[str]) -> str:
        if not self._answer or not self._answer.candidates:
            raise RefusedError("no move has been generated")
        return f"{self._answer.candidates[0].value:.3f}"

    def _do_move_values(self, _words: Sequence[str]) -> str:
        """Return a line for each move that was looked at: simulations, the same again, value, move."""
        if self._answer is None:
            return ""
        simulations = self._answer.simulations
        counted = [(round(each.share * simulations), each) for each in self._answer.candidates]
        return "\n".join(f"{n} {n}.0 {each.value:.3f} {_cells(str(each.placement))}" for n, each in counted)

    def _do_loadsgf(self, words: Sequence[str]) -> str:
        if not 1 <= len(words) <= len(("file", "number")):
            raise RefusedError("expected a file and perhaps the number of a move")
        positions = list(read(Path(words[0]).read_bytes()).positions())
        moves = [each for each, then in pairwise(positions) if then.history[-1].placement]
        last = _number(words[1]) if words[1:] else len(moves) + 1
        self._position = moves[max(last, 1) - 1] if last <= len(moves) else positions[-1]
        self._past, self._answer = moves[: max(last, 1) - 1], None
        return ""

    def _do_savesgf(self, words: Sequence[str]) -> str:
        text = write_blksgf(GameRecord.of(self._position))
        Path(_single(words)).write_text(text, "utf-8")
        return ""

    def _generated(self, sign: str, *, keep: bool) -> str:
        if self._position.is_over or self._position.is_blocked(self._colour(sign)):
            return "pass"
        position = self._at_turn(sign)
        self._answer = self._engine.think(position, seed=self._seed, number=position.move_count + 1)
        if keep:
            self._go_on(position.play(self._answer.placement))
        return _cells(str(self._answer.placement))

    def _at_turn(self, sign: str) -> Position:
        """Return the position at the turn of a colour; those before it have no move left."""
        colour, position = self._colour(sign), self._position
        while position.colour != colour:
            if position.is_over or position.has_legal():
                raise RefusedError(f"it is not the turn of {sign}")
            position = position.pass_turn()
        return position

    def _colour(self, sign: str) -> str:
        variant = self._position.variant
        found = move_names(variant).get(sign.upper())
        colour = sign.lower() if sign.lower() in variant.colours else found
        if colour is None:
            raise RefusedError(f"invalid colour {sign[:20]!r}")
        return colour

    def _sign_to_play(self) -> str:
        """Return the sign of the colour that places next, nothing where none can."""
        position = self._position
        while not position.is_over and not position.has_legal():
            position = position.pass_turn()
        return colour_sign(position.variant, position.colour) if position.colour else ""

    def _go_on(self, position: Position) -> None:
        self._past.append(self._position)
        self._position = position

    def _restart(self, position: Position) -> None:
        self._past, self._position, self._answer = [], position, None
        if isinstance(self._engine, Follower):
            self._engine.forget()


def serve_gtp(session: GtpSession, lines: Iterable[str], out: IO[str]) -> None:
    """Answer line after line until the program is to end."""
    for line in lines:
        out.write(session.answer(line))
        out.flush()
        if session.has_ended:
            return


def _first(variant: Variant) -> Position:
    return Position.start(variant, scoring=COVERAGE)


def _cells(placement: str) -> str:
    return placement.rpartition(":")[2]


def _single(words: Sequence[str]) -> str:
    if len(words) != 1:
        raise RefusedError("expected one argument")
    return words[0]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len("4294967295")):
        raise RefusedError(f"invalid number {text[:20]!r}")
    return int(text)
