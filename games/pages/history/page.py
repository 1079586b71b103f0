"""The page of one person's finished games, with filters."""

from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext

from accounts.models import User
from games.pages.history.file import MOST_EXPORTED
from games.pages.history.search import search_finished
from games.pages.lists.cards import GameCard
from games.pages.lists.finished import finished_rows, own_finished_rows
from games.pages.lists.game_pages import CardPage, PageCursor, game_page
from games.pages.lists.paging import PAGE_SIZE
from games.queries.lists.search import BOTS, Filters

#: More than any page is long, and a number of whole pages.
ENDLESS = 1000 * PAGE_SIZE


@dataclass(frozen=True)
class HistoryPage:
    """One page of a person's finished games, and how many there are, in words.

    `count` is empty where none was found among those that were counted. `exceeds_file` says that there may be more
    games than a file holds.
    """

    games: CardPage[GameCard]
    count: str
    exceeds_file: bool


def history_page(user: User, filters: Filters, cursor: PageCursor) -> HistoryPage:
    """Return this person's finished games, the latest first.

    Beside those of the search those of `own_finished_rows`, and one more beside a game; as many of each as a board has
    numbers of players, where any number is asked for. Where no index serves the search, two or three more, and a page
    that SEARCHED games do not fill says how far it has looked.
    """
    found = search_finished(user, filters)
    # Where not all were counted, the oldest page is as long as any, and there are newer ones.
    listed = ENDLESS if found.is_partial else found.count
    rows = partial(finished_rows, None) if filters.who == BOTS else partial(own_finished_rows, user)
    games = game_page(found.lists, cursor, listed, rows)
    more = gettext("more than %(n)d") % {"n": found.count} if found.count else ""
    count = more if found.is_more else str(found.count)
    return HistoryPage(games, count, found.is_more or found.count > MOST_EXPORTED)
