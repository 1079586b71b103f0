"""What the filters of finished games mean: boards by their variants, bots by what they are called."""

from accounts import names
from accounts.models import User
from games.queries.lists.search import Filters, Found, find_finished
from games.words.boards import boards
from games.words.names import bots_called


def search_finished(user: User, filters: Filters) -> Found:
    """Return the finished games that the filters let through; as many queries as `find_finished`."""
    kinds = boards().get(filters.variant)
    variants = [kind.id for kind in kinds] if kinds else [filters.variant] if filters.variant else []
    bots = bots_called(filters.opponent, names.key) if filters.opponent.isprintable() and filters.opponent else []
    return find_finished(user, filters, variants, bots)
