"""A game at a command line, and the commands that ask and change it."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, NamedTuple

from games.arena.errors import ArenaError
from games.arena.players import own_engine
from games.rules import IllegalPlacement, Position
from games.rules.codes import code_of, has_codes, parse_code, placement_of
from games.rules.errors import RulesError
from games.rules.perft import perft
from games.rules.record import format_turn
from games.rules.records import GameRecord, read, write_blksgf, write_json
from games.rules.text import ascii_board

#: Counting deeper takes hours.
DEEPEST_COUNT = 6


class WrongCommandError(Exception):
    """A command cannot be understood; the text is a sentence."""


class Done(NamedTuple):
    """A turn that was played here: who chose it and the seconds that took."""

    before: Position
    by: str
    seconds: float


class PlaySession:
    """A game, its turns that can be taken back, and whether it is time to leave."""

    def __init__(self, variant: str) -> None:
        self._position = Position.start(variant)
        self._done: list[Done] = []
        self.has_ended = False
        self._commands: dict[str, Callable[[str], str]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }

    def answer(self, line: str) -> str:
        """Return what a command says.

        Raises:
            WrongCommandError, RulesError, ArenaError, OSError, UnicodeError: it cannot be done; nothing has changed.

        """
        name, _space, rest = line.partition("#")[0].strip().partition(" ")
        if not name:
            return ""
        if name not in self._commands:
            raise WrongCommandError(f"There is no command {name[:20]!r}. Type help.")
        return self._commands[name](rest.strip())

    def _do_help(self, _rest: str) -> str:
        """List the commands."""
        return "\n".join(f"{name:6} {each.__doc__}" for name, each in self._commands.items())

    def _do_new(self, rest: str) -> str:
        """Begin a new game, of the same variant where none is named."""
        self._position, self._done = Position.start(rest or self._position.variant), []
        return self._do_board("")

    def _do_board(self, _rest: str) -> str:
        """Draw the board."""
        return f"{ascii_board(self._position)}\n{self._whose()}"

    def _do_list(self, rest: str) -> str:
        """Count the legal placements by piece, or list those of the piece that is named."""
        by_piece: dict[str, list[str]] = defaultdict(list)
        for placement in self._position.legal_placements():
            code = f"   {code_of(self._position, placement)}" if has_codes(self._position.variant) else ""
            by_piece[placement.piece].append(f"{placement}{code}")
        if rest:
            return "\n".join(by_piece[rest.upper()]) or f"{rest[:20]} has no legal placement."
        counts = "\n".join(f"{piece:3} {len(texts)}" for piece, texts in by_piece.items())
        return f"{counts}\nall {sum(map(len, by_piece.values()))}".strip()

    def _do_why(self, rest: str) -> str:
        """Tell whether a placement is legal, and if not, every reason with its cells."""
        try:
            self._position.check(self._text_of(rest))
        except IllegalPlacement as refusal:
            return "\n".join(" ".join([reason, *refusal.names[reason]]) for reason in refusal.reasons)
        return "It is legal."

    def _do_play(self, rest: str) -> str:
        """Place a piece: `play V3:a1,b1,a2`, on CodinGame's boards also `play 0 0 D001`."""
        self._go_on(self._position.play(self._text_of(rest)), "hand", 0.0)
        return self._whose()

    def _do_pass(self, _rest: str) -> str:
        """Pass; only a colour without a legal placement may."""
        self._go_on(self._position.pass_turn(), "hand", 0.0)
        return self._whose()

    def _do_undo(self, rest: str) -> str:
        """Take the last turn back, or as many as are named."""
        count = _number(rest or "1")
        if not 1 <= count <= len(self._done):
            raise WrongCommandError(f"There are {len(self._done)} turns to take back.")
        self._position = self._done[-count].before
        del self._done[-count:]
        return self._whose()

    def _do_bot(self, rest: str) -> str:
        """Play with a bot: `bot sage-5`, some turns: `bot sage-5 3`, or to the end: `bot sage-5 all`."""
        name, _space, count = rest.partition(" ")
        engine, turns = own_engine(name), 10_000 if count == "all" else _number(count or "1")
        while turns and not self._position.is_over:
            if not self._position.has_legal():
                self._go_on(self._position.pass_turn(), "rules", 0.0)
                continue
            began = time.monotonic()
            answer = engine.think(self._position, seed=1, number=self._position.move_count + 1)
            self._go_on(self._position.play(answer.placement), name, time.monotonic() - began)
            turns -= 1
        return self._do_board("")

    def _do_perft(self, rest: str) -> str:
        """Count the lines of play up to a depth, from 1 to 6, with the time that each took."""
        deepest, lines = _number(rest), []
        if not 1 <= deepest <= DEEPEST_COUNT:
            raise WrongCommandError(f"Name a depth from 1 to {DEEPEST_COUNT}.")
        for depth in range(1, deepest + 1):
            began = time.monotonic()
            lines.append(f"{depth} {perft(self._position, depth)} {time.monotonic() - began:.3f} s")
        return "\n".join(lines)

    def _do_log(self, _rest: str) -> str:
        """List the turns: number, colour, turn, and for those played here who chose it and how long that took."""
        known = {len(done.before.history) + 1: f"   {done.by} {done.seconds:.3f} s" for done in self._done}
        return "\n".join(
            f"{number:3} {turn.colour or '-':7} {format_turn(turn)}{known.get(number, '')}"
            for number, turn in enumerate(self._position.history, start=1)
        )

    def _do_stock(self, _rest: str) -> str:
        """Tell what each colour has left, and its score."""
        scores = self._position.scores()
        return "\n".join(
            f"{colour:7} {score:4}  {' '.join(self._position.stock(colour))}" for colour, score in scores.items()
        )

    def _do_save(self, rest: str) -> str:
        """Write the game to a file: .blksgf by its ending, else JSON."""
        game, path = GameRecord.of(self._position), Path(_named(rest))
        path.write_text(write_blksgf(game) if path.suffix == ".blksgf" else write_json(game), "utf-8")
        return f"{path} has {self._position.move_count} moves."

    def _do_load(self, rest: str) -> str:
        """Read a game from a file of either format."""
        positions = list(read(Path(_named(rest)).read_bytes()).positions())
        self._done = [Done(before, "record", 0.0) for before in positions[:-1]]
        self._position = positions[-1]
        return self._do_board("")

    def _do_quit(self, _rest: str) -> str:
        """Leave."""
        self.has_ended = True
        return ""

    def _text_of(self, text: str) -> str:
        """Return a placement as the rules write it."""
        variant = self._position.variant
        is_code = has_codes(variant) and text[:1].isdigit() and text.count(" ") == 2
        return str(placement_of(parse_code(text), variant)) if is_code else text

    def _whose(self) -> str:
        position = self._position
        if position.is_over:
            return f"The game is over. Scores by seat: {', '.join(map(str, position.seat_scores()))}."
        return f"{position.colour} to play, {position.legal_count()} legal placements."

    def _go_on(self, position: Position, by: str, seconds: float) -> None:
        self._done.append(Done(self._position, by, seconds))
        self._position = position


def converse(session: PlaySession, lines: Iterable[str], out: IO[str], prompt: str = "") -> int:
    """Do line after line until the session ends; return how many were refused."""
    refused = 0
    out.write(prompt)
    out.flush()
    for line in lines:
        try:
            answer = session.answer(line)
        except (WrongCommandError, RulesError, ArenaError, OSError, UnicodeError) as error:
            answer, refused = f"Refused: {error}", refused + 1
        out.write(f"{answer}\n" if answer else "")
        if session.has_ended:
            break
        out.write(prompt)
        out.flush()
    return refused


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len("10000")):
        raise WrongCommandError(f"Expected a number, not {text[:20]!r}.")
    return int(text)


def _named(text: str) -> str:
    if not text:
        raise WrongCommandError("Name a file.")
    return text
