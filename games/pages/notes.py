"""A player's note about a game, as its page shows it."""

from dataclasses import dataclass

from accounts.models import User
from games.base import access
from games.models import MAX_NOTE
from games.queries.notes import note_of
from games.words.names import game_title


@dataclass(frozen=True)
class NotePage:
    """The stored text, and the edition in whose place the next one is stored."""

    slug: str
    game: str
    text: str
    edition: int
    most: int = MAX_NOTE


def note_page(user: User, slug: str) -> NotePage:
    """Return the page of a person's note about a game that they play, or have played, in. Three queries.

    Raises:
        NotFound, NotSeated: the person does not.

    """
    game = access.game_to_view(user, slug)
    access.own_seat(game, user)
    return NotePage(slug, game_title(game, user.pk), *note_of(user, game))
