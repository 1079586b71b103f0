"""A finished game as a link to it is shown elsewhere: its result in words, the same for every viewer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import formats, timezone
from django.utils.translation import gettext

from games.pages.board.table import PlayerView
from games.rules import Position
from games.words import endings, names


@dataclass(frozen=True)
class LinkCard:
    """The words that go with a link to a game: who won, everybody's place and cells, the variant and the day."""

    title: str
    description: str

    @property
    def text(self) -> str:
        """Return both in a line, for a message."""
        return gettext("%(title)s. %(description)s") % {"title": self.title, "description": self.description}


def link_card(
    variant: str, finished_at: datetime | None, position: Position, players: Sequence[PlayerView]
) -> LinkCard:
    """Return the card of a game that is over; none of the `players` is the viewer."""
    about = [endings.standings(players, position.places()), names.variant_name(variant), full_day(finished_at)]
    return LinkCard(endings.winner_text(players), " · ".join(filter(None, about)))


def full_day(moment: datetime | None) -> str:
    """Return the day of a moment as the reader writes it, empty for none."""
    return formats.date_format(timezone.localtime(moment), "DATE_FORMAT") if moment else ""
