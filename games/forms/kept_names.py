"""The names that no person may choose, for bots have them."""

from django.conf import settings
from django.utils.translation import override

from games.roster.entries import CHARACTERS
from games.roster.offered import offered_bots
from games.words.characters import title_of


def names_of_bots() -> list[str]:
    """Return all that bots are called: as they are stored, and by their titles in every language of the site."""
    bots = offered_bots()
    found = [*bots, *CHARACTERS]
    for code, _language in settings.LANGUAGES:
        with override(code):
            found += [title_of(bot) for bot in bots.values()]
    return found
