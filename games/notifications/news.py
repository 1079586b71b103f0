"""What has happened on a board since a player's last turn, and how they stand: sentences for a message."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext, pgettext

from games.base.positions import position_of
from games.queries.play.players import seats_placed
from games.rules import Position
from games.values import Kind, Reason, Status
from games.words.names import names_by_seat
from games.words.sentences import listed, placed_text

if TYPE_CHECKING:
    from games.models import Game, Move

#: From how many rounds on it is said how a player stands: before, everyone has placed about as much.
STANDING_FROM = 2
#: At most so many pieces of one player are named, the last ones.
PIECES_NAMED = 3


def news_of(game: "Game", moves: "Sequence[Move]", user_id: int) -> str:
    """Return what a player of a started game has not seen yet, at the end how much each placed. No query.

    Empty for others. Needs all `moves` of the game in order, and its players with `user` and `invitee`.
    """
    seat = next((player.seat for player in game.players.all() if player.user_id == user_id), None)
    if seat is None or not moves:
        return ""
    called = names_by_seat(game.players.all())
    if game.status == Status.FINISHED:
        return _final(game, moves, called, seat)
    # What was given when the game began, no one has done.
    played = moves[game.given_moves :]
    standing = _standing(game, moves, called, seat) if len(played) >= STANDING_FROM * len(called) else ()
    return " ".join([*_since(played, called, seat), *standing])


def _since(moves: "Sequence[Move]", called: dict[int, str], seat: int) -> Iterator[str]:
    """Yield a sentence a player about what they have done since the seat's last turn, in the order of play."""
    own = max((at for at, move in enumerate(moves) if move.seat == seat and not move.is_automatic), default=-1)
    latest = moves[own + 1 :]
    for other in dict.fromkeys(move.seat for move in latest if move.seat != seat):
        done = [move for move in latest if move.seat == other]
        yield from _played(done, called[other])
        yield from _left(done, called[other])


def _played(done: "Sequence[Move]", name: str) -> Iterator[str]:
    if placed := [move.placement.partition(":")[0] for move in done if move.kind == Kind.PLACE]:
        yield gettext("%(name)s placed %(pieces)s.") % {"name": name, "pieces": listed(placed[-PIECES_NAMED:])}
    elif any(move.kind == Kind.PASS for move in done):
        yield gettext("%(name)s passed.") % {"name": name}


def _left(done: "Sequence[Move]", name: str) -> Iterator[str]:
    if any(move.retired == Reason.RESIGNED for move in done):
        yield gettext("%(name)s resigned.") % {"name": name}
    elif any(move.kind == Kind.RETIRE for move in done):
        yield gettext("%(name)s ran out of time.") % {"name": name}


def _standing(game: "Game", moves: "Sequence[Move]", called: dict[int, str], seat: int) -> Iterator[str]:
    """Yield who leads, the player or the best of the others, and how much both have placed."""
    position = position_of(game, moves)
    scores, cells = position.seat_scores(), seats_placed(position)
    still = [player.seat for player in game.players.all() if player.seat != seat and not player.retired]
    if not still:
        return
    best = max(still, key=lambda other: scores[other])
    total = position.variant.stock_cells * len(position.seats[seat])
    values = {"name": called[best], "mine": cells[seat], "theirs": cells[best], "total": total}
    ahead, more = scores[seat] - scores[best], cells[seat] - cells[best]
    if ahead > 0 and more > 0:
        yield gettext("You lead with %(mine)d of %(total)d cells placed; %(name)s has %(theirs)d.") % values
    elif ahead < 0 and more < 0:
        yield gettext("%(name)s leads with %(theirs)d of %(total)d cells placed; you have %(mine)d.") % values
    elif ahead == more == 0:
        yield gettext("You are level with %(name)s: %(mine)d of %(total)d cells placed.") % values
    else:
        # With a bonus for a colour without pieces one may lead with fewer cells.
        yield _placed_by(position, called, (seat, best), seat)


def _final(game: "Game", moves: "Sequence[Move]", called: dict[int, str], seat: int) -> str:
    position = position_of(game, moves)
    places = position.places()
    return _placed_by(position, called, sorted(called, key=lambda each: (places[each], each != seat)), seat)


def _placed_by(position: Position, called: dict[int, str], seats: Iterable[int], own: int) -> str:
    """Return how much these seats have placed, in this order; the `own` one is the reader's."""
    cells, stock = seats_placed(position), position.variant.stock_cells
    names = {**called, own: pgettext("in a list of scores", "you")}
    told = (f"{names[each]} {placed_text(cells[each], stock * len(position.seats[each]))}" for each in seats)
    return gettext("Cells placed: %(listed)s.") % {"listed": ", ".join(told)}
