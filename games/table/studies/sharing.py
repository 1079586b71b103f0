"""What of a study others may read: the words of a record come from elsewhere, and pass the same list as all others."""

from django.utils.translation import gettext_lazy as _

from accounts import names
from games.errors import BadRequest
from games.models import Study
from games.rules.records import GameRecord

INSULT = _(
    "The title, a name or a comment of this study may insult others. Change it in the record and open that again, to "
    "share it."
)


def check_words(study: Study, game: GameRecord | None = None) -> None:
    """Refuse to show others a study whose title, or whose record's texts, have a word from the host's list.

    Raises: BadRequest (`insult`).
    """
    texts = [study.title]
    if game is not None:
        texts += (game.title, game.event, game.round, *game.players, *game.comments.values())
        texts += (text for turn in game.varied for text in (turn.comment, turn.name))
    if any(map(names.is_insult, texts)):
        raise BadRequest(INSULT, code="insult")
