"""Where a new game begins that is given its first moves, as a value."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from games.base.setup import GameSetup
from games.errors import BadRequest
from games.models import Game, Kind, Move
from games.rules import Position


@dataclass(frozen=True)
class GivenMove:
    """A move that a game is given: a placement, or a pass for want of a place."""

    seat: int
    colour: str
    placement: str

    @property
    def kind(self) -> Kind:
        """Return which of the two it is."""
        return Kind.PLACE if self.placement else Kind.PASS


@dataclass(frozen=True)
class GivenStart:
    """Where a new game begins: its first moves, and the position after them.

    `game` is the slug of the finished game that they come from, empty for a study. `is_public` says that everybody may
    see that one. The board, its colours, what counts and how colours pass are those of the game or study.
    `side` is by how many quarters the person who asks sees its board turned.
    """

    moves: tuple[GivenMove, ...]
    position: Position
    game: str
    is_public: bool
    declares_passes: bool
    side: int = 0

    def setup(self, asked: GameSetup) -> GameSetup:
        """Return the table as it can be where a game begins here: not rated, with the seats as they are asked for.

        Raises:
            BadRequest: it is to be played on another board, or with other colours; `field` is variant or colours.

        """
        position, variant = self.position, self.position.variant
        colours = tuple(own[0] for own in position.seats) if variant.choosable_colours else ()
        if asked.variant != variant.id:
            sentence = _("A game that begins at this position is played on the same board.")
            raise BadRequest(sentence, field="variant")
        if asked.colours not in ((), colours):
            sentence = _("A game that begins at this position keeps its colours.")
            raise BadRequest(sentence, field="colours")
        return replace(
            asked,
            colours=colours,
            scoring=position.scoring,
            declares_passes=self.declares_passes,
            is_public=asked.is_public and self.is_public,
            is_rated=False,
            is_shuffled=False,
            lets_choose=False,
        )

    def rows(self, game: Game, now: datetime) -> list[Move]:
        """Return the moves as those of a new game, not saved."""
        return [
            Move(
                game=game,
                number=number,
                kind=move.kind,
                seat=move.seat,
                colour=move.colour,
                placement=move.placement,
                is_automatic=not move.placement,
                version=game.version,
                played_at=now,
            )
            for number, move in enumerate(self.moves, 1)
        ]

    def is_that_of(self, game: Game) -> bool:
        """Return whether a game began here too. One query where it may have."""
        if (game.begun_from, game.given_moves, game.variant) != (self.game, len(self.moves), self.position.variant.id):
            return False
        given = game.moves.filter(number__lte=game.given_moves).values_list("placement", flat=True)
        return [move.placement for move in self.moves] == list(given)
