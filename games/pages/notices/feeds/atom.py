"""A person's turns and notices as a feed (Atom, RFC 4287)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext

from accounts.models import User
from games.notifications.messages import as_read_by
from games.pages.notices.feeds import MOST_ENTRIES
from games.queries.notices.notices import notices_of
from games.queries.people.going import games_to_move_in
from games.queries.tables.turns import next_number
from games.words.names import game_title
from games.words.notices import deadline_text, notice_words

if TYPE_CHECKING:
    from games.models import Game


@dataclass(frozen=True)
class FeedEntry:
    """One thing that has happened: `key` is its own for ever."""

    key: str
    title: str
    line: str
    slug: str
    at: datetime


def atom_of(user: User, address: str) -> bytes:
    """Return the feed in the person's words, the latest first; `address` is where it was found. Four queries."""
    with as_read_by(user):
        entries = sorted([*_turns(user), *_notices(user)], key=lambda entry: entry.at, reverse=True)[:MOST_ENTRIES]
        feed = _feed(user, address, entries[0].at if entries else user.date_joined)
        for entry in entries:
            link = f"{settings.PUBLIC_URL}{reverse('game', args=[entry.slug])}"
            feed.add_item(
                entry.title,
                link,
                entry.line,
                unique_id=f"tag:{settings.PUBLIC_HOST},2026:{entry.key}",
                pubdate=entry.at,
                updateddate=entry.at,
            )
        return feed.writeString("utf-8").encode()


def _feed(user: User, address: str, updated: datetime) -> Atom1Feed:
    class DatedFeed(Atom1Feed):
        """A feed that has changed when its latest entry did, also while it has none."""

        def latest_post_date(self) -> datetime:
            return updated

    return DatedFeed(
        gettext("Block-You: my notices"),
        f"{settings.PUBLIC_URL}{reverse('notices')}",
        "",
        language=get_language(),
        author_name="Block-You",
        feed_url=address,
        feed_guid=f"tag:{settings.PUBLIC_HOST},2026:feed/{user.pk}",
    )


def _turns(user: User) -> Iterator[FeedEntry]:
    for game in games_to_move_in(user, MOST_ENTRIES):
        yield FeedEntry(
            f"turn/{game.slug}/{next_number(game)}",
            gettext("Your turn: %(title)s") % {"title": game_title(game, user.pk)},
            _until(game),
            game.slug,
            game.turn_since or game.changed_at,
        )


def _until(game: "Game") -> str:
    return gettext("You have until %(moment)s.") % {"moment": deadline_text(game)} if game.deadline else ""


def _notices(user: User) -> Iterator[FeedEntry]:
    for notice in notices_of(user, 0, MOST_ENTRIES):
        subject, line = notice_words(notice)
        yield FeedEntry(f"notice/{notice.pk}", subject, line, notice.game.slug, notice.created_at)
