"""The players of a game that has started, in words: who sits in each seat, and how its colours stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext, pgettext

from games.pages.board.faces import Face, face
from games.queries.play.players import ColourState, Seated, SeatState, colour_states, seat_states
from games.queries.play.state import GameState
from games.rules import Position
from games.rules.variants import get_variant
from games.values import Reason
from games.words import names, sentences
from games.words.sentences import score_text


@dataclass(frozen=True)
class ColourView:
    """One colour. It has `cells` in all its pieces and `cells_left` of them to place; `points` are those for cells.

    `state` says in words why it has no more turns, if so.
    """

    code: str
    label: str
    pieces_left: int
    cells: int
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
    def placed(self) -> int:
        """Return how many cells are placed."""
        return self.cells - self.cells_left

    @property
    def placed_text(self) -> str:
        """Return how many cells are placed, and of how many."""
        return sentences.placed_text(self.placed, self.cells)

    @property
    def said(self) -> str:
        """Return what the colour is called, and why it has no more turns, if so."""
        return (
            gettext("%(colour)s: %(what)s") % {"colour": self.label, "what": self.state} if self.state else self.label
        )

    @property
    def left(self) -> str:
        """Return how many pieces are left, in words."""
        return self.state or sentences.pieces_left(self.pieces_left)

    @property
    def held(self) -> str:
        """Return the same where a heading says what is counted."""
        return self.state or str(self.pieces_left)


@dataclass(frozen=True)
class PlayerView:
    """One seat. `state` is empty for a player who plays on, else "resigned", "out of time" or "cannot place".

    A retired player has resigned or, if `has_run_out`, ran out of time. A bot plays for one who `is_away`.
    `has_trays` is for the viewer's own seat: several colours, each with a tray to choose. `address` is that of the page
    about a person or bot, empty for the viewer; `short` is a bot's name where there is no room for all of it.
    """

    seat: int
    name: str
    is_you: bool
    colours: tuple[ColourView, ...]
    score: int
    is_to_play: bool
    is_retired: bool
    has_run_out: bool
    is_away: bool
    is_winner: bool
    has_trays: bool
    state: str
    address: str
    short: str
    face: Face

    @property
    def is_bot(self) -> bool:
        """Return whether the seat is a bot's own."""
        return bool(self.short)

    @property
    def left(self) -> str:
        """Return how much the seat still holds, in words; colour by colour where it has several."""
        return sentences.if_away(self._left, is_away=self.is_away)

    @property
    def _left(self) -> str:
        if len(self.colours) == 1:
            return sentences.stock(self.pieces_left, self.cells_left)
        line = gettext("%(colour)s: %(what)s")
        return " · ".join(line % {"colour": colour.label, "what": colour.left} for colour in self.colours)

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

    @property
    def cells(self) -> int:
        """Return how many cells all pieces of the seat's colours have."""
        return sum(colour.cells for colour in self.colours)

    @property
    def placed(self) -> int:
        """Return how many of those cells are placed."""
        return self.cells - self.cells_left

    @property
    def placed_text(self) -> str:
        """Return how many cells are placed, and of how many."""
        return sentences.placed_text(self.placed, self.cells)

    @property
    def of_cells(self) -> str:
        """Return of how many cells, for beside the count."""
        return pgettext("cells placed", "of %(total)d") % {"total": self.cells}

    @property
    def of_cells_placed(self) -> str:
        """Return the same as a sentence goes on."""
        return gettext("of %(total)d placed") % {"total": self.cells}


def player_views(
    seats: Sequence[SeatState], colours: Sequence[ColourState], hand: Sequence[str] = ()
) -> tuple[PlayerView, ...]:
    """Return the seats in playing order; `hand` are the colours that the viewer still plays."""
    views = {colour.code: _colour(colour) for colour in colours}
    occupants = [seat.occupant for seat in seats]
    called = zip(names.seat_names(occupants), names.seat_names(occupants, is_short=True), strict=True)
    return tuple(_player(seat, name, short, views, hand) for seat, (name, short) in zip(seats, called, strict=True))


def players_at(position: Position, people: Sequence[Seated], viewer: int | None = None) -> tuple[PlayerView, ...]:
    """Return the seats of a position, taken by these people in order; `viewer` is the viewer's seat."""
    colours = colour_states(position)
    return player_views(seat_states(position, people, colours, viewer), colours)


def _player(seat: SeatState, name: str, short: str, views: Mapping[str, ColourView], hand: Sequence[str]) -> PlayerView:
    colours = tuple(views[code] for code in seat.colours)
    is_blocked = all(colour.state for colour in colours)
    if seat.retired:
        colours = tuple(replace(colour, state=sentences.retired(seat.retired)) for colour in colours)
    return PlayerView(
        seat=seat.seat,
        name=gettext("You") if seat.is_viewer else name,
        is_you=seat.is_viewer,
        colours=colours,
        score=seat.score,
        is_to_play=seat.is_to_play,
        is_retired=bool(seat.retired),
        has_run_out=seat.retired == Reason.OUT_OF_TIME,
        is_away=seat.is_away,
        is_winner=seat.is_winner,
        has_trays=seat.is_viewer and len(hand) > 1,
        state=sentences.retired(seat.retired) or (gettext("no moves left") if is_blocked else ""),
        address="" if seat.is_viewer else names.page_of(seat.occupant),
        short=short if seat.occupant.bot else "",
        face=face(seat.occupant),
    )


@dataclass(frozen=True)
class SharedView:
    """A colour that the players share: how it stands, and who plays it next and why."""

    colour: ColourView
    sentence: str


def shared_views(state: GameState, players: Sequence[PlayerView]) -> tuple[SharedView, ...]:
    """Return the colours that the players place in turn."""
    return tuple(
        SharedView(_colour(colour), _who_plays(state, colour, players)) for colour in state.colours if colour.is_shared
    )


def _who_plays(state: GameState, colour: ColourState, players: Sequence[PlayerView]) -> str:
    label = sentences.colour(colour.code)
    if state.is_over or not colour.pieces or colour.is_blocked:
        return gettext("%(colour)s is shared: its points do not count.") % {"colour": label}
    variant, player = get_variant(state.game.variant), players[colour.seat]
    values = {
        "colour": label,
        "name": player.name,
        "number": len(variant.pieces) * variant.copies - len(colour.pieces) + 1,
    }
    if player.is_you:
        return gettext("You play piece %(number)d of %(colour)s, the shared colour.") % values
    return gettext("%(name)s plays piece %(number)d of %(colour)s, the shared colour.") % values


def _colour(colour: ColourState) -> ColourView:
    return ColourView(
        code=colour.code,
        label=sentences.colour(colour.code),
        pieces_left=len(colour.pieces),
        cells=colour.cells,
        cells_left=colour.cells_left,
        points=colour.points,
        bonus=colour.bonus,
        is_to_play=colour.is_to_play,
        state=gettext("no moves left") if colour.is_blocked else "",
    )
