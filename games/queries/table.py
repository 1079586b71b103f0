"""Who sits at a table that has started, and how each of them stands."""

from dataclasses import dataclass

from django.utils.translation import gettext

from games.models import Game, Player
from games.queries import names, sentences
from games.queries.cards import score_text
from games.rules import Position


@dataclass(frozen=True)
class ColourView:
    """One colour of a seat. `state` says in words why it has no more turns, if so."""

    code: str
    label: str
    pieces_left: int
    cells_left: int
    score: int
    is_to_play: bool
    state: str

    @property
    def left(self) -> str:
        """Return how many pieces are left, in words."""
        return self.state or sentences.pieces(self.pieces_left)


@dataclass(frozen=True)
class PlayerView:
    """One seat. `state` is empty for whoever plays on, else "resigned", "out of time" or "cannot place".

    `has_trays` is for the viewer's own seat: several colours, each with a tray to choose.
    """

    seat: int
    name: str
    is_you: bool
    colours: tuple[ColourView, ...]
    score: int
    is_to_play: bool
    is_retired: bool
    is_winner: bool
    has_trays: bool
    state: str

    @property
    def left(self) -> str:
        """Return how much the seat still holds, in words; colour by colour where it has several."""
        if len(self.colours) == 1:
            return sentences.stock(self.pieces_left, self.cells_left)
        return " · ".join(f"{colour.label}: {colour.left}" for colour in self.colours)

    @property
    def score_text(self) -> str:
        """Return the score with a true minus sign."""
        return score_text(self.score)

    @property
    def pieces_left(self) -> int:
        """Return how many pieces the seat's colours still hold."""
        return sum(colour.pieces_left for colour in self.colours)

    @property
    def cells_left(self) -> int:
        """Return how many cells those pieces have."""
        return sum(colour.cells_left for colour in self.colours)


def player_views(game: Game, position: Position, me: Player | None) -> tuple[PlayerView, ...]:
    """Return the seats in playing order (needs the players prefetched)."""
    scores, sizes = position.scores(), {piece.name: piece.size for piece in position.variant.pieces}
    winners = position.winners()
    return tuple(
        _player(position, player, scores, sizes, me is not None and player.seat == me.seat, winners)
        for player in game.players.all()
    )


def _player(
    position: Position,
    player: Player,
    scores: dict[str, int],
    sizes: dict[str, int],
    is_you: bool,
    winners: tuple[int, ...],
) -> PlayerView:
    own = position.seats[player.seat]
    colours = tuple(_colour(position, colour, scores[colour], sizes) for colour in own)
    is_blocked = all(colour.state for colour in colours)
    return PlayerView(
        seat=player.seat,
        name=gettext("You") if is_you else names.player_name(player),
        is_you=is_you,
        colours=colours,
        score=sum(scores[colour] for colour in own),
        is_to_play=position.seat == player.seat,
        is_retired=bool(player.retired),
        is_winner=player.seat in winners,
        has_trays=is_you and len(own) > 1 and not player.retired and not position.is_over,
        state=sentences.retired(player.retired) or (gettext("cannot place any more") if is_blocked else ""),
    )


def _colour(position: Position, colour: str, score: int, sizes: dict[str, int]) -> ColourView:
    stock = position.stock(colour)
    is_stuck = not position.is_over and position.is_blocked(colour)
    return ColourView(
        code=colour,
        label=sentences.colour(colour),
        pieces_left=len(stock),
        cells_left=sum(map(sizes.__getitem__, stock)),
        score=score,
        is_to_play=position.colour == colour,
        state=gettext("cannot place any more") if is_stuck and stock else "",
    )
