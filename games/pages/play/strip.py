"""The players beside the board: who leads, who thinks, and which pieces everybody still holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.drawing.stock import StockPicture, stock_picture
from games.pages.board.clocks import ClockView, clock_views
from games.pages.board.table import ColourView, PlayerView, SharedView
from games.queries.play.players import SeatState
from games.queries.play.state import GameState
from games.roster.offered import offered_bots
from games.rules.variants import get_variant
from games.words import boards, ladder, sentences
from games.words.moments import Here


@dataclass(frozen=True)
class HeldPieces:
    """The pieces that one colour has not placed.

    `line` says how many there are, and `said` names them. `has_faded` tells whether some of the pieces fit nowhere now.
    """

    colour: ColourView
    line: str
    picture: StockPicture
    said: str
    has_faded: bool


@dataclass(frozen=True)
class StripSeat:
    """One seat beside the board. `lead` says that it leads, `first` is its place, `scoring` how points are counted.

    `stocks` has one entry for each colour. The viewer's own pieces are in the trays, so `has_pictures` is False there.
    `here` says that the player looks at the game now, where the viewer may know. `bot_settings` are those of a bot's
    seat, empty for people and where it is not told yet.
    """

    player: PlayerView
    clock: ClockView | None
    stocks: tuple[HeldPieces, ...]
    lead: str
    first: str
    scoring: str
    is_thinking: bool
    has_pictures: bool
    bot_settings: str
    here: Here | None

    @property
    def has_several(self) -> bool:
        """Return whether the seat plays several colours."""
        return len(self.stocks) > 1

    @property
    def left(self) -> str:
        """Return how many pieces the seat still holds, or why it places no more."""
        held = self.player.state or sentences.pieces(self.player.pieces_left)
        return sentences.if_away(held, is_away=self.player.is_away)

    @property
    def has_faded(self) -> bool:
        """Return whether some of the pieces that are shown fit nowhere now."""
        return any(stock.has_faded for stock in self.stocks)


@dataclass(frozen=True)
class StripColour:
    """A shared colour: who plays it next, and its stock."""

    shared: SharedView
    stock: HeldPieces


def strip_seats(state: GameState, players: tuple[PlayerView, ...]) -> tuple[StripSeat, ...]:
    """Return the seats in playing order."""
    ahead = _seats_ahead(state, players)
    scoring = boards.scoring_line(get_variant(state.game.variant), state.game.scoring)
    return tuple(
        StripSeat(
            player=player,
            clock=clock,
            stocks=tuple(_stock(state, each) for each in player.colours),
            lead=ahead.get(player.seat, ""),
            first=pgettext("leader", "1st"),
            scoring=scoring,
            is_thinking=state.thinking_seat == player.seat,
            has_pictures=not (player.is_you and state.hand),
            bot_settings=bot_settings(seat),
            here=Here(is_online=True, words=gettext("At the table now")) if player.seat in state.here else None,
        )
        for player, seat, clock in zip(players, state.seats, clock_views(state, players), strict=True)
    )


def bot_settings(seat: SeatState) -> str:
    """Return what was chosen for a bot: its seed, and how far it thinks ahead. Its name says the rest."""
    bot = offered_bots().get(seat.occupant.bot)
    if seat.seed is None:
        return ""
    told = gettext("Seed %(seed)d.") % {"seed": seat.seed}
    return f"{told} {ladder.thinking(bot.simulating(seat.simulations).thinking_for(seat.seconds))}" if bot else told


def strip_colours(state: GameState, shared: Iterable[SharedView]) -> tuple[StripColour, ...]:
    """Return the colours that the players share."""
    return tuple(StripColour(one, _stock(state, one.colour)) for one in shared)


def _seats_ahead(state: GameState, players: Iterable[PlayerView]) -> Mapping[int, str]:
    """Return what is said of the seats that lead, one alone or several; nothing where all are equal.

    After the end there is nothing to say, for the winners wear a crown then.
    """
    running = [] if state.position.is_over else [player for player in players if not player.is_retired]
    scores = {player.seat: player.score for player in running}
    best = max(scores.values(), default=0)
    found = [key for key, score in scores.items() if score == best]
    said = gettext("leads") if len(found) == 1 else gettext("joint lead")
    return dict.fromkeys(found, said) if len(found) < len(scores) else {}


def _stock(state: GameState, colour: ColourView) -> HeldPieces:
    position = state.position
    pieces = position.stock(colour.code)
    # After the end nothing is to be placed, so that nothing is faded.
    fitting = frozenset(pieces) if position.is_over else position.fitting_pieces(colour.code)
    faded = [name for name in pieces if name not in fitting]
    return HeldPieces(
        colour=colour,
        line=sentences.stock(colour.pieces_left, colour.cells_left),
        picture=stock_picture(position.variant.id, pieces, fitting),
        said=_said(colour, [name for name in pieces if name in fitting], faded),
        has_faded=bool(faded),
    )


def _said(colour: ColourView, fitting: Sequence[str], faded: Sequence[str]) -> str:
    """Return the pieces by name, for viewers who do not see the picture."""
    values = {"colour": colour.label, "pieces": ", ".join(fitting), "faded": ", ".join(faded)}
    if not fitting and not faded:
        return gettext("%(colour)s has placed every piece.") % values
    if not faded:
        return gettext("%(colour)s still has %(pieces)s.") % values
    if not fitting:
        return gettext("%(colour)s still has %(faded)s, which do not fit anywhere now.") % values
    return gettext("%(colour)s still has %(pieces)s, and %(faded)s, which do not fit anywhere now.") % values
