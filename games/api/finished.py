"""Finished games of a person: in pages, and all of them line by line with their records."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field

from accounts.models import User
from games.api.schemas import Person, occupant_out
from games.base.access import SLUG
from games.errors import BadRequest
from games.queries.lists.finished import own_finished
from games.queries.lists.seats import Lists
from games.queries.people.seated import load_players
from games.table.records import json_file, record_of

if TYPE_CHECKING:
    from games.models import Player

#: Games on a page unless a request says how many, and at most.
USUAL, MOST = 24, 100
#: Games that one answer has line by line at most, and those that are read at a time: so a slow reader costs little.
MOST_LINES, LOT = 500, 25


class FinishedSeatOut(Schema):
    """A seat of a finished game: `retired` is why its player left early, "" for one who played to the end."""

    seat: int
    occupant: Person
    score: int | None
    winner: bool
    retired: str


class FinishedGame(Schema):
    """A finished game of yours. `reason` says how it ended, `me` is your seat and `result` yours: won, tied or lost, or
    empty where the game began at a given position.

    `opening` is the key of the named opening that your colours followed, "" without one.
    """

    slug: str
    name: str
    variant: str
    scoring: str
    reason: str
    moves: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    me: int
    result: str
    opening: str
    seats: list[FinishedSeatOut]

    @classmethod
    def of(cls, player: "Player") -> "FinishedGame":
        """Return the game in which the person has this seat (needs its players fetched with their users)."""
        game = player.game
        return cls(
            slug=game.slug,
            name=game.name,
            variant=game.variant,
            scoring=game.scoring,
            reason=game.reason,
            moves=game.move_count,
            created_at=game.created_at,
            started_at=game.started_at,
            finished_at=game.finished_at,
            me=player.seat,
            result=player.result,
            opening=player.opening or "",
            seats=[
                FinishedSeatOut(
                    seat=each.seat,
                    occupant=occupant_out(each.occupant),
                    score=each.score,
                    winner=each.is_winner,
                    retired=each.retired,
                )
                for each in game.players.all()
            ],
        )


class ExportedGame(FinishedGame):
    """A finished game of yours with its record, which `GET games/<slug>/record` answers too."""

    record: dict[str, object]


class LastLine(Schema):
    """The last line of finished games: the `cursor` of the next request, "" at the end."""

    next: str


class FinishedPage(Schema):
    """Finished games, the latest first. `next` is the `cursor` of the page after this one, "" for the last page."""

    games: list[FinishedGame]
    next: str


class Paging(Schema):
    """Where a list begins, by the `next` of the page before, and how many games are wanted."""

    cursor: str = ""
    limit: int = Field(default=USUAL, ge=1, le=MOST)


class RecordRequest(Schema):
    """Which file is wanted: json, or blksgf which Pentobi reads too. `token` is the secret of an invitation link."""

    format: Literal["json", "blksgf"] = "json"
    token: str = ""


class GameRecordRequest(RecordRequest):
    """With `branches` the file has what you have tried in the game as variations, which no one else is shown."""

    branches: bool = False


def finished_page(lists: Lists, cursor: str, limit: int) -> FinishedPage:
    """Return the finished games of a list after that of a slug. Three queries, one more with a cursor.

    A page shows the same games however many end meanwhile.

    Raises:
        BadRequest: the cursor is no game of the list.

    """
    found = lists.take(limit + 1, _beside(lists, cursor))
    shown = found[:limit]
    load_players([seat.game for seat in shown])
    following = shown[-1].game.slug if len(found) > limit else ""
    return FinishedPage(games=[FinishedGame.of(seat) for seat in shown], next=following)


def finished_lines(user: User, cursor: str) -> Iterator[str]:
    """Return the finished games of a person after that of a slug with their records, a line of JSON each.

    The last line holds `next` alone, the cursor of the next request or "" at the end: without it something was cut
    off. What is wrong is found out at once. For each lot of 25 games three queries, and two or three for a game.

    Raises:
        BadRequest: the cursor is no game of theirs.

    """
    lists = own_finished(user)
    # The language of the reader is gone when the lines are sent.
    return _lines(lists, _beside(lists, cursor), get_language())


def _beside(lists: Lists, cursor: str) -> "Player | None":
    found = lists.find(cursor) if SLUG.fullmatch(cursor) else None
    if cursor and found is None:
        raise BadRequest(_("There is no such game in this list. Begin without a cursor."), field="cursor")
    return found


def _lines(lists: Lists, last: "Player | None", language: str | None) -> Iterator[str]:
    for _number in range(MOST_LINES // LOT):
        lot = lists.take(LOT, last)
        with translation.override(language):
            yield "".join(_told(lot))
        if len(lot) < LOT:
            yield _line({"next": ""})
            return
        last = lot[-1]
    yield _line({"next": last.game.slug if last else ""})


def _told(lot: "Sequence[Player]") -> Iterator[str]:
    load_players([seat.game for seat in lot])
    for seat in lot:
        record = json.loads(json_file(record_of(seat.game)).content)
        yield _line({**FinishedGame.of(seat).model_dump(mode="json"), "record": record})


def _line(values: dict[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"
