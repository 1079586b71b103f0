"""What endpoints answer with."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router

from games.api import schemas
from games.api.door import Door
from games.api.problems import Problem
from games.queries.play.state import game_state
from games.rules.records import GameRecord
from games.table import records

#: All endpoints: two methods of one address have to be of one router.
router = Router()

#: The tag of what needs no token; documents say it otherwise (`games.api.site`).
PUBLIC = "public"
#: The tag of what is answered line by line; likewise.
LINES, LINES_TYPE = "lines", "application/x-ndjson"
#: The tag of what is answered with the record of a game: JSON, or a file that is asked for.
FILES, FILE_TYPE = "files", "application/x-blokus-sgf"


def responses(good: object, *errors: int) -> dict[object, object]:
    """Return what an endpoint answers: the good answer, and problems: 400, 401, 403, 429, 503 and these."""
    return {204 if good is None else 200: good, **dict.fromkeys(sorted({400, 401, 403, 429, 503, *errors}), Problem)}


def doing(
    path: str, name: str, door: Door, tag: str, *errors: int
) -> Callable[[Callable[..., None]], Callable[..., HttpResponse]]:
    """Register a function that does what a POST at a path asks for: 204 once it is done; or 404, or these problems."""

    def register(do: Callable[..., None]) -> Callable[..., HttpResponse]:
        @router.post(path, auth=door, response=responses(None, 404, *errors), url_name=name, tags=[tag])
        @wraps(do)
        def done(*args: Any, **fields: Any) -> HttpResponse:
            do(*args, **fields)
            return HttpResponse(status=204)

        return done

    return register


def game_now(request: HttpRequest, slug: str) -> schemas.GameOut:
    """Return a game as it is now, after what was done to it."""
    return schemas.GameOut.of(game_state(request.user, slug))


def file_answer(game: GameRecord, kind: str) -> HttpResponse:
    """Return a record as a file of this kind, json or blksgf.

    Raises:
        NotFound: there is no such file of a game of this variant.

    """
    file = records.blksgf_file(game) if kind == "blksgf" else records.json_file(game)
    answer = HttpResponse(file.content, content_type=file.content_type)
    answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return answer
