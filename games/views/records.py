"""Games and studies as files to keep."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.queries import records as queries
from games.queries.records import RecordFile
from games.views.play import token_of


@require_safe
def game_blksgf(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a game as the file that Pentobi reads."""
    return _answer(request, queries.blksgf_file(queries.game_record(request.user, slug, token_of(request))))


@require_safe
def game_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a game as this site's own file."""
    return _answer(request, queries.json_file(queries.game_record(request.user, slug, token_of(request))))


@require_safe
def study_blksgf(request: HttpRequest, study: str) -> HttpResponse:
    """Return a study as the file that Pentobi reads."""
    return _answer(request, queries.blksgf_file(queries.study_record(request.user, study)))


@require_safe
def study_json(request: HttpRequest, study: str) -> HttpResponse:
    """Return a study as this site's own file."""
    return _answer(request, queries.json_file(queries.study_record(request.user, study)))


def _answer(request: HttpRequest, file: RecordFile) -> HttpResponse:
    tag = f'"{hashlib.sha256(file.content).hexdigest()[:32]}"'
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(file.content, content_type=file.kind)
        response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response["ETag"] = tag
    # Who may see it may change, so every use is asked for.
    response["Cache-Control"] = "private, no-cache"
    return response
