"""What is said at tables."""

from typing import Literal

from django.http import HttpRequest
from django.utils import timezone

from accounts.doors import person
from accounts.models import User
from games.actions.moderation.report_line import report_line as _report_line
from games.actions.moderation.report_table import report_table as _report_table
from games.actions.talk.drop_reaction import drop_reaction as _drop_reaction
from games.actions.talk.give_reaction import give_reaction as _give_reaction
from games.actions.talk.read_messages import read_messages as _read_messages
from games.actions.talk.send_message import send_message as _send_message
from games.api import schemas
from games.api.door import TALKING
from games.api.endpoints.answers import doing, responses, router
from games.base import access
from games.base.talk import check_reader, talk_rights, unread_by, watchers_rights
from games.pages.moderation.reports import line_form
from games.pages.talk.messages import every_phrase
from games.queries.talk.messages import messages_of
from games.queries.talk.reactions import reactions_of
from games.table.counting import count_line, count_report
from games.values import Audience


@router.get("phrases", auth=TALKING, response=responses(list[schemas.PhraseOut]), url_name="api-phrases", tags=["talk"])
def list_phrases(request: HttpRequest) -> list[schemas.PhraseOut]:
    """List the ready phrases of tables in your language. Every reader reads them in their own."""
    return [schemas.PhraseOut(key=key, text=text, needs_day=needs_day) for key, text, needs_day in every_phrase()]


@router.get(
    "games/{slug}/messages",
    auth=TALKING,
    response=responses(schemas.TalkOut, 404, 409),
    url_name="api-messages",
    tags=["talk"],
)
def list_messages(
    request: HttpRequest, slug: str, before: int | None = None, audience: Literal["players", "watchers"] = "players"
) -> schemas.TalkOut:
    """List what the players of a game have said, for one of them: the last 50 lines, or the last before that id.

    What those who watch say is for everybody else, and for the players once the game is over.
    """
    user = person(request)
    game = access.game_to_view(user, slug)
    is_watching = Audience(audience) == Audience.WATCHERS
    rights = (watchers_rights if is_watching else talk_rights)(game, user, timezone.now())
    found, has_older = messages_of(game, user, before, audience=Audience(audience))
    return schemas.TalkOut(
        messages=[schemas.MessageOut.of(message) for message in found],
        has_older=has_older,
        unread=0 if is_watching else unread_by(game, user) or 0,
        can_send=rights.can_send,
        can_write=rights.can_write,
    )


@router.post(
    "games/{slug}/messages",
    auth=TALKING,
    response=responses(schemas.MessageOut, 404, 409),
    url_name="api-messages",
    tags=["talk"],
)
def send_message(request: HttpRequest, slug: str, wish: schemas.MessageRequest) -> schemas.MessageOut:
    """Say something to the players of a game in which you sit, or to the others who watch one in which you do not.

    What was said before counts as read by you.
    """
    user, audience = person(request), Audience(wish.audience)
    count_line(user, audience)
    said = _send_message(user, slug, phrase=wish.phrase, text=wish.text, day=wish.day, audience=audience)
    return schemas.MessageOut.of(said)


@doing("games/{slug}/messages/{line}/report", "api-message-report", TALKING, "talk")
def report_line(request: HttpRequest, slug: str, line: int, wish: schemas.ReportRequest) -> None:
    """Report a line that you can read to the moderators, who see a copy of it and what is around it. Twice is once."""
    user = person(request)
    count_report(user)
    _report_line(user, slug, line, reason=wish.reason, words=wish.words, shown=line_form(user, slug, line).shown)


@doing("games/{slug}/report", "api-game-report", TALKING, "talk")
def report_table(request: HttpRequest, slug: str, wish: schemas.TableReportRequest) -> None:
    """Report somebody at a table to the moderators, who see its name. Twice is once."""
    user = person(request)
    count_report(user)
    _report_table(user, slug, wish.person, reason=wish.reason, words=wish.words)


@doing("games/{slug}/messages/read", "api-messages-read", TALKING, "talk")
def read_messages(request: HttpRequest, slug: str, wish: schemas.ReadRequest) -> None:
    """Note that you have read what was said in a game up to a line."""
    user = person(request)
    check_reader(access.game_to_view(user, slug), user)
    _read_messages(user, slug, last=wish.last)


@router.get(
    "games/{slug}/reactions",
    auth=TALKING,
    response=responses(list[schemas.ReactionOut], 404, 409),
    url_name="api-reactions",
    tags=["talk"],
)
def list_reactions(request: HttpRequest, slug: str) -> list[schemas.ReactionOut]:
    """List what the players of a game have said of its placements by marks, for one of them, by moves."""
    return _reactions(person(request), slug)


@router.post(
    "games/{slug}/reactions",
    auth=TALKING,
    response=responses(list[schemas.ReactionOut], 404, 409),
    url_name="api-reactions",
    tags=["talk"],
)
def give_reaction(request: HttpRequest, slug: str, wish: schemas.ReactionRequest) -> list[schemas.ReactionOut]:
    """Give a placement of another player one of six marks, in place of the one you gave before; list all."""
    user = person(request)
    count_line(user)
    _give_reaction(user, slug, number=wish.number, word=wish.reaction, placement=wish.placement)
    return _reactions(user, slug)


@router.post(
    "games/{slug}/reactions/drop",
    auth=TALKING,
    response=responses(list[schemas.ReactionOut], 404, 409),
    url_name="api-reaction-drop",
    tags=["talk"],
)
def drop_reaction(request: HttpRequest, slug: str, wish: schemas.ReactionDropping) -> list[schemas.ReactionOut]:
    """Take back the mark that you gave to a placement; list all others."""
    user = person(request)
    count_line(user)
    _drop_reaction(user, slug, number=wish.number)
    return _reactions(user, slug)


def _reactions(user: User, slug: str) -> list[schemas.ReactionOut]:
    game = access.game_to_view(user, slug)
    check_reader(game, user)
    given = reactions_of(game, user)
    return [schemas.ReactionOut(number=each.number, seat=each.seat, reaction=each.word) for each in given]
