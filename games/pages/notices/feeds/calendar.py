"""A person's deadlines as a calendar (RFC 5545, with names and intervals as in RFC 7986)."""

from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language, gettext
from icalendar import Calendar, Event, vDuration

from accounts.models import User
from games.notifications.messages import as_read_by
from games.pages.notices.feeds import MOST_ENTRIES
from games.queries.people.going import games_to_move_in
from games.words.names import game_title
from games.words.notices import deadline_text

if TYPE_CHECKING:
    from games.models import Game

#: An entry ends at the deadline; an entry without any length is not shown by every calendar.
ENTRY_LENGTH = timedelta(minutes=30)

#: How often programs are to ask again.
REFRESH_EVERY = timedelta(minutes=30)


def calendar_of(user: User) -> bytes:
    """Return the calendar in the person's words: an entry for each game that has to be played in by a moment.

    The entry of a game keeps its UID; its SEQUENCE grows with the game. Two queries.
    """
    with as_read_by(user):
        calendar = _empty()
        for game in games_to_move_in(user, MOST_ENTRIES, has_deadline=True):
            calendar.add_component(_entry(game, user))
        return bytes(calendar.to_ical())


def _empty() -> Calendar:
    calendar = Calendar()
    calendar.add("PRODID", f"-//{settings.PUBLIC_HOST}//Block-You//{(get_language() or 'en').upper()}")
    calendar.add("VERSION", "2.0")
    name = gettext("Block-You: my deadlines")
    calendar.add("NAME", name)
    calendar.add("X-WR-CALNAME", name)
    calendar.add("REFRESH-INTERVAL", REFRESH_EVERY, parameters={"VALUE": "DURATION"})
    # Outlook's word for the same; the library takes no length of time for a name that it does not know.
    calendar.add("X-PUBLISHED-TTL", vDuration(REFRESH_EVERY))
    return calendar


def _entry(game: "Game", user: User) -> Event:
    deadline, link = game.deadline, f"{settings.PUBLIC_URL}{reverse('game', args=[game.slug])}"
    if deadline is None:
        raise ValueError(f"game {game.pk} has no deadline")
    entry = Event()
    entry.add("UID", f"{game.slug}.{user.pk}@{settings.PUBLIC_HOST}")
    entry.add("DTSTAMP", game.changed_at.replace(microsecond=0))
    entry.add("LAST-MODIFIED", game.changed_at.replace(microsecond=0))
    entry.add("SEQUENCE", game.version)
    end = deadline.replace(microsecond=0)
    entry.add("DTSTART", end - ENTRY_LENGTH)
    entry.add("DTEND", end)
    entry.add("SUMMARY", gettext("Your turn: %(title)s") % {"title": game_title(game, user.pk)})
    until = gettext("You have until %(moment)s.") % {"moment": deadline_text(game)}
    entry.add("DESCRIPTION", f"{until}\n{link}")
    entry.add("URL", link)
    entry.add("TRANSP", "TRANSPARENT")
    return entry
