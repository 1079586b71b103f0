"""How a request asks to see a game: as a picture or in words, which a cookie remembers for the browser."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.pages.board.view_request import ViewRequest
from games.pages.spoken.commands import LONGEST_COMMAND

#: What the session keeps of whether notices are wanted on this device, once that was answered.
ANSWER = "notices"


#: And for which turn a player of each of the last tables on one device has taken it, by slug.
HANDS, MOST_HANDS = "hands", 20


def view_request_of(request: HttpRequest, slug: str) -> ViewRequest:
    """Return what a request says of how it wants to see the game of this slug. What makes no sense is left out."""
    asked, is_answer = (request.POST, True) if request.method == "POST" else (request.GET, False)
    return ViewRequest(
        may_offer=bool(settings.PUSH_KEY) and ANSWER not in request.session,
        is_spoken=request.COOKIES.get(settings.SPOKEN_COOKIE_NAME) == "yes",
        since=_number(asked.get("version" if is_answer else "since", "")),
        is_answer=is_answer,
        is_pausing=not is_answer and asked.get("pausing") == "yes",
        is_taking_back=not is_answer and asked.get("takeback") == "yes",
        hand=request.session.get(HANDS, {}).get(slug, 0),
        step=_number(asked.get("number", "")),
        pause=_number(asked.get("pause", "")),
        say=asked.get("say", "")[:LONGEST_COMMAND],
        piece=asked.get("piece", "")[:8],
        start=_number(asked.get("from", "")),
        token=request.GET.get("token", "")[:64],
    )


def remember_answer(request: HttpRequest, *, wants_notices: bool) -> None:
    """Keep for this login whether notices are wanted on the device, so that it is not asked again."""
    request.session[ANSWER] = wants_notices


def remember_hand(request: HttpRequest, slug: str, number: int) -> None:
    """Keep for this login that a player of a table on one device has taken it, for the turn of that number."""
    kept = {key: value for key, value in request.session.get(HANDS, {}).items() if key != slug}
    request.session[HANDS] = dict([*kept.items(), (slug, number)][-MOST_HANDS:])


def remember_mode(response: HttpResponse, *, is_spoken: bool) -> None:
    """Remember in the browser whether games are shown in words or as pictures."""
    name = settings.SPOKEN_COOKIE_NAME
    if not is_spoken:
        response.delete_cookie(name, samesite="Lax")
        return
    response.set_cookie(
        name, "yes", max_age=settings.SESSION_COOKIE_AGE, secure=settings.IS_HTTPS, httponly=True, samesite="Lax"
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
