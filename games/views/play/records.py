"""Games and studies as files to keep."""

import hashlib

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.views.decorators.http import require_safe

from accounts.doors import person
from games.base.tags import is_known_tag
from games.pages.analysis.branch_record import record_with_branches
from games.rules.records import GameRecord
from games.table import records
from games.table.records import RecordFile
from games.views.play.play import link_token


@require_safe
def game_blksgf(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a game as the file that Pentobi reads."""
    return _answer(request, records.blksgf_file(_record(request, slug)))


@require_safe
def game_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a game as this site's own file."""
    return _answer(request, records.json_file(_record(request, slug)))


def _record(request: HttpRequest, slug: str) -> GameRecord:
    """Return the record of a game, with `branches` beside its moves what the person who asks has tried in it."""
    if request.GET.get("branches") == "yes":
        return record_with_branches(person(request), slug, link_token(request))
    return records.game_record(request.user, slug, link_token(request))


@require_safe
def study_blksgf(request: HttpRequest, study: str) -> HttpResponse:
    """Return a study as the file that Pentobi reads."""
    return _answer(request, records.blksgf_file(records.study_record(request.user, study)))


@require_safe
def study_json(request: HttpRequest, study: str) -> HttpResponse:
    """Return a study as this site's own file."""
    return _answer(request, records.json_file(records.study_record(request.user, study)))


def _answer(request: HttpRequest, file: RecordFile) -> HttpResponse:
    tag = f'"{hashlib.sha256(file.content).hexdigest()[:32]}"'
    response: HttpResponse = HttpResponseNotModified()
    if not is_known_tag(request.headers.get("If-None-Match", ""), tag):
        response = HttpResponse(file.content, content_type=file.content_type)
        response["Content-Disposition"] = f'attachment; filename="{file.name}"'
    response["ETag"] = tag
    # It may become private, so no copy is used without asking.
    response["Cache-Control"] = "private, no-cache"
    return response
