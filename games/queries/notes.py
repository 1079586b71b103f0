"""What players have written down about their games."""

from accounts.models import User
from games.models import Game, Note


def note_of(user: User, game: Game) -> tuple[str, int]:
    """Return a person's note about a game and its edition; an empty one of edition 0 where there is none. One query."""
    found = Note.objects.filter(game=game, user=user).values_list("text", "edition").first()
    return found or ("", 0)
