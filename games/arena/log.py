"""A log of games, one line of JSON each: what a match has played is not played again."""

import json
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from games.arena.errors import ArenaError
from games.arena.game import Played
from games.arena.plan import Match


class Log:
    """The games kept in a file; without a path they are kept nowhere.

    A match is known by its variant, players, seed, opening, CPU times a move and whether bots kept their trees, not by
    its number of games: it can be made longer.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def played(self, match: Match) -> dict[int, Played]:
        """Return the games of a match that the log has, by their numbers."""
        wanted = _head(match)
        return {
            line["number"]: _played(line)
            for line in self._lines()
            if {name: line.get(name, 0) for name in wanted} == wanted
        }

    def matches(self) -> Iterator[tuple[Match, Played]]:
        """Yield every game of the log and the match it is of, whose number of games says nothing."""
        for line in self._lines():
            about = {name: line.get(name, 0) for name in ("seed", "opening", "cpu_ms", "program_ms", "follows")}
            yield Match(line["variant"], tuple(line["players"]), **about), _played(line)

    def add(self, match: Match, number: int, played: Played) -> None:
        """Write down a game, at once and as a whole."""
        if self._path is None:
            return
        self._drop_half_a_line()
        with self._path.open("a", encoding="ascii") as file:
            file.write(json.dumps({**_head(match), "number": number, **asdict(played)}) + "\n")

    def _lines(self) -> Iterator[dict[str, Any]]:
        if self._path is None or not self._path.exists():
            return
        with self._path.open(encoding="ascii", errors="replace") as file:
            for number, text in enumerate(file, start=1):
                # Half a line was being written when the machine stopped.
                if text.endswith("\n"):
                    yield _read(self._path, number, text)

    def _drop_half_a_line(self) -> None:
        if self._path is None or not self._path.exists():
            return
        with self._path.open("rb+") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                file.truncate(whole)


def _head(match: Match) -> dict[str, Any]:
    return {
        "variant": match.variant,
        "players": list(match.players),
        "seed": match.seed,
        "opening": match.opening,
        "cpu_ms": match.cpu_ms,
        "program_ms": match.program_ms,
        "follows": match.follows,
    }


_NEEDED = {"variant", "players", "seed", "opening", "number", *(each.name for each in fields(Played))}


def _read(path: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except ValueError:
        line = None
    if not isinstance(line, dict) or not line.keys() >= _NEEDED:
        raise ArenaError(f"{path}, line {number} is no game of the arena. Name another --log, or take that line out.")
    return line


def _played(line: dict[str, Any]) -> Played:
    values: dict[str, Any] = {each.name: _tuple(line[each.name]) for each in fields(Played)}
    return Played(**values)


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
