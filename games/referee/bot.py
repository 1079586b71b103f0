"""`python -m games.referee.bot sage-5`: our engines as programs that play by CodinGame's protocol."""

import sys
from collections.abc import Iterator, Sequence
from typing import IO

from games.arena.errors import ArenaError
from games.arena.players import own_engine
from games.bots.engines.protocol import Engine
from games.referee.errors import RefereeError
from games.rules import Position
from games.rules.codes import code_of, parse_code, parse_shape, placement_of
from games.rules.errors import RulesError
from games.rules.variants.codingame import SIZES, STOCKS, of_letters


def play_as(engine: Engine, lines: Iterator[str], out: IO[str], seed: int = 1) -> None:
    """Answer every turn until the input ends.

    Raises:
        RefereeError: the input is not that of the protocol.

    """
    try:
        player, position = _start(lines)
        for heard in _turns(lines, position.variant.height):
            for colour, text in heard:
                position = _moved(position, colour, text)
            position = _passed_to(position, position.variant.colours[player])
            placement = engine.think(position, seed=seed, number=position.move_count + 1).placement
            out.write(f"{code_of(position, placement)}\n")
            out.flush()
            position = position.play(placement)
    except (StopIteration, RuntimeError, ValueError, IndexError, KeyError) as error:
        raise RefereeError(f"The input is not that of the protocol: {error}") from error


def _start(lines: Iterator[str]) -> tuple[int, Position]:
    letters = [parse_shape(_next(lines))[0] for _ in range(int(_next(lines)))]
    players, player, size = (int(_next(lines)) for _ in range(3))
    if players not in STOCKS or size not in SIZES or not 0 <= player < players or sorted(_next(lines)) != letters:
        raise ValueError("there is no such game")
    return player, Position.start(of_letters(players, size, "".join(letters)))


def _turns(lines: Iterator[str], height: int) -> Iterator[list[tuple[int, str]]]:
    """Yield by turn what the others have placed since the last one."""
    for _first_row in lines:
        for _ in range(height - 1):
            _next(lines)
        heard = [_next(lines).split(" ", 1) for _ in range(int(_next(lines)))]
        for _ in range(int(_next(lines))):
            _next(lines)
        yield [(int(number), text) for number, text in heard]


def _next(lines: Iterator[str]) -> str:
    line = next(lines, None)
    if line is None:
        raise ValueError("it ends too soon")
    return line


def _moved(position: Position, player: int, text: str) -> Position:
    position = _passed_to(position, position.variant.colours[player])
    return position.play(placement_of(parse_code(text), position.variant))


def _passed_to(position: Position, colour: str) -> Position:
    """Return the position at a colour's turn; a colour before it that could place has left the game."""
    while not position.is_over and position.colour != colour:
        left = position.seat or 0
        position = position.retire(left) if position.has_legal() else position.pass_turn()
    return position


def main(arguments: Sequence[str] | None = None) -> int:
    """Play as the engine that the command line names; return the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if len(words) != 1:
            raise RefereeError("Name one engine: a bot as greedy or sage-5, or module:Class,argument=value.")
        play_as(own_engine(words[0], follows=True), (line.rstrip("\r\n") for line in sys.stdin), sys.stdout)
    except (RefereeError, ArenaError, RulesError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
