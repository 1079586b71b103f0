"""The seats and colours of a game at one of its positions: who holds them, how they stand, which side is near them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from accounts.models import User
from games.base import access
from games.base.welcome import LOOKING, sees_others, shows_at_table
from games.models import AWAY_AFTER, Game, Occupant, Player, Status
from games.queries.play.bot_thoughts import bots_of
from games.rules import Position
from games.rules.geometry import SQUARES
from games.rules.records import GameRecord
from games.rules.variants import Variant, get_variant

#: Records say moments to the millisecond, the database to the microsecond.
WITHIN_MILLISECOND = timedelta(microseconds=999)


class Seated(NamedTuple):
    """What a position does not say of a seat: its occupant, why they left the game early, and their clock.

    `retired` is a value of `games.models.Reason`, empty for an occupant who plays on. `clock` is the time in seconds
    that is left when the seat's next turn begins; None means unlimited. `missed` is how many
    turns in a row a bot has taken for a person. `seed` is a bot's, None where it may not be told (by now), and
    `simulations` are those that it was told to do, None for as many as usual, or for how many `seconds`.
    """

    occupant: Occupant
    retired: str = ""
    clock: int | None = None
    missed: int = 0
    seed: int | None = None
    simulations: int | None = None
    seconds: int | None = None


@dataclass(frozen=True, kw_only=True)
class SeatState:
    """One seat: its occupant, its own colours, and how it stands.

    `seat` counts from 0 in playing order. `score` is the sum over its own colours as if the game ended now; winners
    there are once it is over, several on a tie. `retired`, `clock`, `missed`, `seed`, `simulations` and
    `seconds` are those of `Seated`.
    """

    seat: int
    occupant: Occupant
    is_viewer: bool
    colours: tuple[str, ...]
    score: int
    is_to_play: bool
    is_winner: bool
    retired: str
    clock: int | None
    missed: int
    seed: int | None
    simulations: int | None
    seconds: int | None

    @property
    def is_away(self) -> bool:
        """Return whether a bot takes this player's turns without waiting."""
        return self.missed >= AWAY_AFTER


@dataclass(frozen=True, kw_only=True)
class ColourState:
    """One colour: the pieces it has not placed, and its points for cells and for placing everything (`bonus`).

    `seat` is the seat that plays it; a shared colour belongs to no seat, and `seat` is the one that places its next
    piece. `pieces` are names, one for each copy; all that a colour begins with have `cells`. A colour is blocked if the
    game goes on and none of them fits.
    """

    code: str
    seat: int
    is_shared: bool
    pieces: tuple[str, ...]
    cells: int
    cells_left: int
    points: int
    bonus: int
    is_to_play: bool
    is_blocked: bool

    @property
    def score(self) -> int:
        """Return the points for cells and the bonus together."""
        return self.points + self.bonus


def seated_of(game: Game) -> tuple[Seated, ...]:
    """Return who sits in a game, by seat (needs the players fetched with their users)."""
    bots = bots_of(game)
    told = {seat: (bot.seed, bot.simulations, bot.seconds) for seat, bot in bots.items()}
    return tuple(
        Seated(player.occupant, player.retired, player.clock, player.missed, *told.get(player.seat, ()))
        for player in game.players.all()
    )


def seats_here(game: Game, user: access.Viewer, now: datetime) -> tuple[int, ...]:
    """Return in order the seats of people who look at this running game now, as far as this person may know. No query.

    None for a person who is kept apart from anyone: that would have to be asked for. It needs the players fetched with
    their users.
    """
    if game.status != Status.RUNNING or not (isinstance(user, User) and sees_others(user)) or user.is_kept_apart:
        return ()
    plays, others = access.seat_of(game, user) is not None, (player for player in game.players.all() if player.user)
    return tuple(
        player.seat
        for player in others
        if player.user is not None
        and player.user_id != user.pk
        and player.seen_at is not None
        and now - player.seen_at < LOOKING
        and shows_at_table(player.user, plays=plays)
    )


def viewer_seat(game: Game, user: access.Viewer) -> int | None:
    """Return the seat of the person who looks, None if they do not play (needs the players fetched)."""
    player = access.seat_of(game, user)
    return None if player is None else player.seat


def seat_states(
    position: Position, people: Sequence[Seated], colours: Sequence[ColourState], viewer: int | None = None
) -> tuple[SeatState, ...]:
    """Return the seats of a position, taken by these people in order; `viewer` is the viewer's seat.

    Rule: R9, R12
    """
    winners = position.winners()
    scores = {colour.code: colour.score for colour in colours}
    return tuple(
        SeatState(
            seat=seat,
            occupant=person.occupant,
            is_viewer=seat == viewer,
            colours=position.seats[seat],
            score=sum(scores[colour] for colour in position.seats[seat]),
            is_to_play=position.seat == seat,
            is_winner=seat in winners,
            retired=person.retired,
            clock=person.clock,
            missed=person.missed,
            seed=person.seed,
            simulations=person.simulations,
            seconds=person.seconds,
        )
        for seat, person in enumerate(people)
    )


def colour_states(position: Position) -> tuple[ColourState, ...]:
    """Return the colours of a game in the order of play, the shared ones included."""
    return tuple(_colour(position, colour) for colour in position.colours_in_play)


def _colour(position: Position, colour: str) -> ColourState:
    pieces, score, sizes = position.stock(colour), position.score_of(colour), _sizes(position.variant)
    return ColourState(
        code=colour,
        seat=position.seat_of(colour),
        is_shared=colour in position.variant.shared,
        pieces=pieces,
        cells=position.variant.stock_cells,
        cells_left=sum(map(sizes.__getitem__, pieces)),
        points=score.cells,
        bonus=score.bonus,
        is_to_play=position.colour == colour,
        is_blocked=bool(pieces) and not position.is_over and position.is_blocked(colour),
    )


def seats_placed(position: Position) -> tuple[int, ...]:
    """Return how many cells each seat has placed with its own colours."""
    cells, sizes = position.variant.stock_cells, _sizes(position.variant)
    return tuple(
        sum(cells - sum(map(sizes.__getitem__, position.stock(colour))) for colour in colours)
        for colours in position.seats
    )


@lru_cache(maxsize=32)
def _sizes(variant: Variant) -> dict[str, int]:
    return {piece.name: piece.size for piece in variant.pieces}


def colours_to_place(position: Position, seat: int) -> tuple[str, ...]:
    """Return the colours that a seat places: its own, and the shared ones of which it places the next piece."""
    lent = tuple(colour for colour in position.variant.shared if position.seat_of(colour) == seat)
    return position.seats[seat] + lent


def own_side(game: Game, user: access.Viewer) -> int:
    """Return by how many quarters clockwise a person sees a game's board turned; 0 for a person without a seat.

    It stays the same from the first move to long after the last, and after resigning. It needs the players fetched.
    """
    player = access.seat_of(game, user)
    return 0 if player is None else seat_side(game, player.seat)


def seat_side(game: Game, seat: int) -> int:
    """Return by how many quarters clockwise the board is turned for the player in this seat."""
    variant = get_variant(game.variant)
    return near_side(variant, variant.seat_colours(game.colours or None)[seat])


def recorded_side(record: GameRecord, user: access.Viewer) -> int:
    """Return by how many quarters clockwise a person sees a record's board turned: as in the game that it is of, if
    they sat in that; else 0.

    The game is found by when it ended, which a record says to the millisecond. One query, none where it says nothing.
    """
    if user.pk is None or not record.ended:
        return 0
    try:
        begin = datetime.fromisoformat(record.ended)
    except ValueError:
        # A record that was written elsewhere, of the 31st of February.
        return 0
    ended_then = Player.objects.filter(user=user.pk, ended_at__range=(begin, begin + WITHIN_MILLISECOND))
    seats = ended_then.filter(game__variant=record.variant.id).values_list("seat", flat=True)
    colours = record.variant.seat_colours(record.record.colours)
    sides = {near_side(record.variant, colours[seat]) for seat in seats}
    # When an account is closed, all its games end at once.
    return sides.pop() if len(sides) == 1 else 0


def near_side(variant: Variant, colours: Sequence[str]) -> int:
    """Return by how many quarters clockwise the board is turned so that a start cell of these colours lies nearest.

    They are a player's own colours, not those that are shared. Boards where a colour may begin on any of several cells
    stay as they are, and so they do without colours.
    """
    cells = [variant.start_cells[colour] for colour in colours]
    if not cells or any(len(few) > 1 for few in cells):
        return 0
    starts = [variant.grid.points[few[0]] for few in cells]
    right, top = variant.width - 1, variant.height - 1
    away = {0: lambda x, y: y, 2: lambda x, y: top - y, 1: lambda x, y: right - x, 3: lambda x, y: x}
    turns = away if variant.grid.lattice == SQUARES else (0, 2)
    return min(turns, key=lambda turn: min(away[turn](x, y) for x, y in starts))
