"""What has happened on a board since a player's last turn, and how they stand: sentences for a message."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext, ngettext, pgettext

from games.base.positions import position_of
from games.queries.play.players import seats_placed
from games.values import Kind, Reason, Status
from games.words.names import names_by_seat
from games.words.sentences import listed, placed_text

if TYPE_CHECKING:
    from games.models import Game, Move

#: From how many rounds on it is said how a player stands: before, everyone has placed about as much.
STANDING_FROM = 2
#: At most so many pieces of one player are named, the last ones.
NAMED = 3


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
        yield gettext("%(name)s placed %(pieces)s.") % {"name": name, "pieces": listed(placed[-NAMED:])}
    elif any(move.kind == Kind.PASS for move in done):
        yield gettext("%(name)s passed.") % {"name": name}


def _left(done: "Sequence[Move]", name: str) -> Iterator[str]:
    if any(move.retired == Reason.RESIGNED for move in done):
        yield gettext("%(name)s resigned.") % {"name": name}
    elif any(move.kind == Kind.RETIRE for move in done):
        yield gettext("%(name)s ran out of time.") % {"name": name}


def _standing(game: "Game", moves: "Sequence[Move]", called: dict[int, str], seat: int) -> Iterator[str]:
    scores = position_of(game, moves).seat_scores()
    still = [player.seat for player in game.players.all() if player.seat != seat and not player.retired]
    if not still:
        return
    best = max(still, key=lambda other: scores[other])
    ahead, values = scores[seat] - scores[best], {"name": called[best], "n": abs(scores[seat] - scores[best])}
    if ahead > 0:
        yield ngettext("You lead by %(n)d point.", "You lead by %(n)d points.", ahead) % values
    elif ahead < 0:
        text = ngettext("You are %(n)d point behind %(name)s.", "You are %(n)d points behind %(name)s.", -ahead)
        yield text % values
    else:
        yield gettext("You are level with %(name)s.") % values


def _final(game: "Game", moves: "Sequence[Move]", called: dict[int, str], seat: int) -> str:
    position = position_of(game, moves)
    cells, places = seats_placed(position), position.places()
    own = position.variant.stock_cells
    ranked = sorted(called, key=lambda each: (places[each], each != seat))
    names = {**called, seat: pgettext("in a list of scores", "you")}
    told = (f"{names[each]} {placed_text(cells[each], own * len(position.seats[each]))}" for each in ranked)
    return gettext("Cells placed: %(listed)s.") % {"listed": ", ".join(told)}
