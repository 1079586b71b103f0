"""Say something at a table: a ready phrase, or a text."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.base.apart import not_reading
from games.base.talk import PHRASES_ALONE, SILENCED, UNWANTED, talk_rights, watchers_rights
from games.errors import BadRequest, NotSeated
from games.models import MAX_MESSAGE, Audience, Game, Player, TalkMessage, TalkPhrase
from games.table import changes
from games.table.moves import moment
from games.table.seats import lock_person
from games.table.texts.cleaning import cleaned_line
from games.values import WATCHERS_PHRASES

#: The same line again within this time is the same request: a double tap, or one sent again since its answer was lost.
TWICE = timedelta(seconds=4)
#: The furthest day that a person can say to be away until.
FURTHEST = timedelta(days=366)

EMPTY = _("Write something, or choose a phrase.")
NO_PHRASE = _("There is no such phrase. Choose one from the list.")
NO_DAY = _("Choose a day from today on, within a year.")


@transaction.atomic
def send_message(
    user: User,
    slug: str,
    *,
    phrase: str = "",
    text: str = "",
    day: date | None = None,
    audience: Audience = Audience.PLAYERS,
    now: datetime | None = None,
) -> TalkMessage:
    """Store a line that a player says, and tell it after commit: a ready phrase by its key, or else a text.

    Everything said before counts as read by its author. The same line again at once is no new one. Those who watch
    speak among themselves.

    Raises:
        NotFound: there is no such game for this person.
        NotSeated: the person only looks (`not-seated`), nobody talks on this site (`talk-off`), the text would be one
            of their own where only phrases are said (`phrases-only`), where someone reads none of theirs
            (`texts-unwanted`), or while a moderator allows none of theirs
            (`silenced`), or the account is closed; as `watchers_rights` says for those who watch.
        WrongStatus: the table was cancelled (`cancelled`), the game ended long ago (`talk-over`), or no other person
            sits there (`only-bots`).
        BadRequest: there is no such phrase, its day makes no sense, or the text cannot be kept as it is.

    """
    user = lock_person(user)
    game, now = access.game_to_change(user, slug), moment(now)
    is_watcher = audience == Audience.WATCHERS
    rights = (watchers_rights if is_watcher else talk_rights)(game, user, now)
    if rights.why is not None:
        raise rights.why
    if phrase:
        text, day = "", _check_phrase(phrase, day, audience)
    else:
        if rights.silenced_until is not None:
            raise NotSeated(SILENCED, code="silenced")
        if rights.is_unwanted:
            raise NotSeated(UNWANTED, code="texts-unwanted")
        if not rights.can_write:
            raise NotSeated(PHRASES_ALONE, code="phrases-only")
        text, day = cleaned_line(text, MAX_MESSAGE, EMPTY), None
    last = TalkMessage.objects.filter(game=game, audience=audience).order_by("-pk").first()
    if last is not None and _is_same(last, user, phrase, text, day) and now - last.created_at < TWICE:
        return last
    said = TalkMessage.objects.create(
        game=game, author=user, audience=audience, phrase=phrase, text=text, day=day, created_at=now
    )
    if is_watcher:
        changes.tell_pages(game)
    else:
        _count_unread(game, user)
        changes.tell_of_message(game, now)
    return said


def _is_same(last: TalkMessage, user: User, phrase: str, text: str, day: date | None) -> bool:
    return (last.author_id, last.phrase, last.text, last.day) == (user.pk, phrase, text, day)


def _count_unread(game: Game, author: User) -> None:
    others = Player.objects.filter(game=game, user__isnull=False).exclude(user__in={author.pk, *not_reading(author)})
    others.update(unread_messages=Coalesce(F("unread_messages"), Value(0)) + 1)
    Player.objects.filter(game=game, user=author, unread_messages__isnull=False).update(unread_messages=None)


def _check_phrase(phrase: str, day: date | None, audience: Audience) -> date | None:
    """Return the day of a phrase that names one, None for any other.

    Raises: BadRequest.
    """
    if phrase not in (WATCHERS_PHRASES if audience == Audience.WATCHERS else TalkPhrase.values):
        raise BadRequest(NO_PHRASE, field="phrase")
    if phrase != TalkPhrase.AWAY:
        return None
    today = timezone.localdate()
    if day is None or not today <= day <= today + FURTHEST:
        raise BadRequest(NO_DAY, field="day")
    return day
