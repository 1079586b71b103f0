"""Who sits at a table that has started, and how each of them stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext

from games.models import Game, Player
from games.queries import names, sentences
from games.queries.cards import score_text
from games.rules import Position
from games.rules.variants import Variant


@dataclass(frozen=True)
class ColourView:
    """One colour. `points` are those for cells, `state` says in words why it has no more turns, if so."""

    code: str
    label: str
    pieces_left: int
    cells_left: int
    points: int
    bonus: int
    is_to_play: bool
    state: str

    @property
    def score(self) -> int:
        """Return the points for cells and the bonus together."""
        return self.points + self.bonus

    @property
    def score_text(self) -> str:
        """Return the score with a true minus sign."""
        return score_text(self.score)

    @property
    def left(self) -> str:
        """Return how many pieces are left, in words."""
        return self.state or sentences.pieces(self.pieces_left)


@dataclass(frozen=True)
class PlayerView:
    """One seat. `state` is empty for whoever plays on, else "resigned", "out of time" or "cannot place".

    `has_trays` is for the viewer's own seat: several colours, each with a tray to choose. `address` is that of a bot's
    page, empty for people; `short` is its name where there is no room for all of it.
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
    address: str
    short: str

    @property
    def left(self) -> str:
        """Return how much the seat still holds, in words; colour by colour where it has several."""
        if len(self.colours) == 1:
            return sentences.stock(self.pieces_left, self.cells_left)
        told = gettext("%(colour)s: %(what)s")
        return " · ".join(told % {"colour": colour.label, "what": colour.left} for colour in self.colours)

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
    people = [
        Seated(names.player_name(player), player.retired, names.page_of(player), names.short_bot_name(player.bot))
        if player.bot
        else Seated(names.player_name(player), player.retired)
        for player in game.players.all()
    ]
    return seat_views(position, people, None if me is None else me.seat)


class Seated(NamedTuple):
    """Who sits in a seat: a name, why they left the game, the address of a page about them, and a shorter name.

    All but the name may be empty.
    """

    name: str
    retired: str = ""
    address: str = ""
    short: str = ""


def seat_views(position: Position, people: Sequence[Seated], own: int | None = None) -> tuple[PlayerView, ...]:
    """Return the seats of a position, taken by these people in order; `own` is the viewer's."""
    winners = position.winners()
    return tuple(_player(position, seat, person, seat == own, winners) for seat, person in enumerate(people))


def _player(position: Position, seat: int, person: Seated, is_you: bool, winners: tuple[int, ...]) -> PlayerView:
    colours = tuple(_colour(position, colour) for colour in position.seats[seat])
    is_blocked = all(colour.state for colour in colours)
    return PlayerView(
        seat=seat,
        name=gettext("You") if is_you else person.name,
        is_you=is_you,
        colours=colours,
        score=sum(colour.score for colour in colours),
        is_to_play=position.seat == seat,
        is_retired=bool(person.retired),
        is_winner=seat in winners,
        has_trays=is_you and len(colours_of(position, seat)) > 1 and not person.retired and not position.is_over,
        state=sentences.retired(person.retired) or (gettext("cannot place any more") if is_blocked else ""),
        address=person.address,
        short=person.short,
    )


@dataclass(frozen=True)
class SharedView:
    """A colour that belongs to nobody: how it stands, and who plays it next and why."""

    colour: ColourView
    sentence: str


def shared_views(position: Position, players: Sequence[PlayerView]) -> tuple[SharedView, ...]:
    """Return the colours that the players place in turn."""
    return tuple(
        SharedView(view, _who_plays(position, view, players))
        for view in (_colour(position, colour) for colour in position.variant.shared)
    )


def _who_plays(position: Position, view: ColourView, players: Sequence[PlayerView]) -> str:
    if position.is_over or not view.pieces_left or view.state:
        return gettext("%(colour)s belonged to nobody: its points do not count.") % {"colour": view.label}
    values = {
        "colour": view.label,
        "name": players[position.seat_of(view.code)].name,
        "number": len(position.variant.pieces) * position.variant.copies - view.pieces_left + 1,
    }
    if players[position.seat_of(view.code)].is_you:
        return gettext("You place piece %(number)d of %(colour)s: it is shared in turn.") % values
    return gettext("%(name)s places piece %(number)d of %(colour)s: it is shared in turn.") % values


def colours_of(position: Position, seat: int) -> tuple[str, ...]:
    """Return the colours that a seat places: its own, and the shared ones of which it places the next piece."""
    lent = tuple(colour for colour in position.variant.shared if position.seat_of(colour) == seat)
    return position.seats[seat] + lent


def _colour(position: Position, colour: str) -> ColourView:
    stock, score = position.stock(colour), position.score_of(colour)
    sizes = _sizes(position.variant)
    is_stuck = not position.is_over and position.is_blocked(colour)
    return ColourView(
        code=colour,
        label=sentences.colour(colour),
        pieces_left=len(stock),
        cells_left=sum(map(sizes.__getitem__, stock)),
        points=score.cells,
        bonus=score.bonus,
        is_to_play=position.colour == colour,
        state=gettext("cannot place any more") if is_stuck and stock else "",
    )


@lru_cache(maxsize=32)
def _sizes(variant: Variant) -> dict[str, int]:
    return {piece.name: piece.size for piece in variant.pieces}
