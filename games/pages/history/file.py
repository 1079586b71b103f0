"""A person's finished games as a file, the latest first: CSV for spreadsheets, JSON for programs."""

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple, dataclass, fields
from datetime import datetime
from io import StringIO
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language, gettext

from accounts.models import User
from games.pages.history.search import search_finished
from games.queries.lists.search import Filters
from games.queries.lists.seats import Lists
from games.queries.people.seated import load_players
from games.rules.variants import get_variant
from games.words import names

if TYPE_CHECKING:
    from games.models import Game, Player

#: Games that are gone through for a file at most, so that it is sent within the minute that an answer may take, and
#: those that are read at a time, which is all that is in memory of it.
MOST_EXPORTED, GAMES_AT_ONCE = 50_000, 250

#: What a spreadsheet takes for the beginning of a formula; some take = + - @ in full width for the same.
FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r", "\n")


@dataclass(frozen=True)
class OtherPlayer:
    """Another player of a game: a person or a bot."""

    name: str
    score: int | None


@dataclass(frozen=True)
class HistoryLine:
    """A game in plain values, as a file holds it; moments are those of ISO 8601.

    `result`, `end`, `score` and `opening` are of the person whose file it is; without a seat only the game's own end
    is known.
    """

    finished: str
    started: str
    game: str
    name: str
    board: str
    size: int
    players: int
    moves: int
    result: str
    end: str
    score: int | None
    opening: str
    others: tuple[OtherPlayer, ...]


@dataclass(frozen=True)
class HistoryFile:
    """A file that is made while it is sent: its name and type, and its parts in order, one for each lot of games.

    `broken_off` ends it where a part could not be made, so that nobody takes what there is for everything.
    """

    name: str
    content_type: str
    parts: Iterator[str]
    broken_off: str


def history_as_csv(user: User, filters: Filters, site: str) -> HistoryFile:
    """Return the games that the filters let through as CSV with a line of columns. `site` begins every address."""
    broken_off = _row([gettext("This file is not complete. Download it again.")])
    return HistoryFile("games.csv", "text/csv; charset=utf-8", _csv(_lots_of_lines(user, filters, site)), broken_off)


def history_as_json(user: User, filters: Filters, site: str) -> HistoryFile:
    """Return the games that the filters let through as JSON: `games`, a list of objects.

    Broken off, it lacks its end, and no program reads it.
    """
    return HistoryFile("games.json", "application/json", _json(_lots_of_lines(user, filters, site)), "")


def _csv(lots: Iterator[list[HistoryLine]]) -> Iterator[str]:
    # Spreadsheets know by this mark that letters with accents are UTF-8.
    begin = "\N{ZERO WIDTH NO-BREAK SPACE}" + _row([each.name for each in fields(HistoryLine)])
    for lines in lots:
        yield begin + "".join(map(_csv_line, lines))
        begin = ""
    if begin:
        yield begin


def _csv_line(line: HistoryLine) -> str:
    others = ", ".join(f"{other.name} {other.score}" for other in line.others)
    return _row([*map(_cell, astuple(line)[:-1]), _cell(others)])


def _row(cells: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _cell(value: object) -> object:
    """Return a value as a spreadsheet may have it: a text that it would work out as a formula begins with a quote."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def _json(lots: Iterator[list[HistoryLine]]) -> Iterator[str]:
    begin = '{"games": [\n'
    for lines in lots:
        yield begin + ",\n".join(json.dumps(asdict(line), ensure_ascii=False) for line in lines)
        begin = ",\n"
    yield "\n]}\n" if begin == ",\n" else f"{begin}]}}\n"


def _lots_of_lines(user: User, filters: Filters, site: str) -> Iterator[list[HistoryLine]]:
    """Return the lines of a file; three queries for each lot, more for a board with several numbers of players.

    What is searched is found out at once: the reader's time zone and language are gone when the file is being sent.
    """
    return _found(search_finished(user, filters).lists, user.pk, site, get_language())


def _found(lists: Lists, user_id: int, site: str, language: str | None) -> Iterator[list[HistoryLine]]:
    for lot in _lots(lists):
        load_players([seat.game for seat in lot])
        with translation.override(language):
            lines = [_line(seat.game, user_id, site) for seat in lot]
        yield lines


def _lots(lists: Lists) -> "Iterator[list[Player]]":
    passed, spot = 0, None
    while passed < MOST_EXPORTED:
        found = lists.look(min(GAMES_AT_ONCE, MOST_EXPORTED - passed), spot)
        if found.seats:
            yield found.seats
        if len(found.seats) < GAMES_AT_ONCE and not found.is_cut:
            return
        passed, spot = passed + found.passed, found.spot


def _line(game: "Game", user_id: int, site: str) -> HistoryLine:
    seats, kind = list(game.players.all()), get_variant(game.variant)
    mine = next((seat for seat in seats if seat.user_id == user_id), None)
    return HistoryLine(
        finished=_moment(game.finished_at),
        started=_moment(game.started_at),
        game=site + reverse("game", args=[game.slug]),
        name=game.name,
        board=kind.family,
        size=kind.width,
        players=len(seats),
        moves=game.move_count,
        result=mine.result if mine else "",
        end=(mine.retired if mine else "") or game.reason,
        score=mine.score if mine else None,
        opening=(mine.opening or "") if mine else "",
        others=tuple(OtherPlayer(names.player_name(seat), seat.score) for seat in seats if seat is not mine),
    )


def _moment(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
