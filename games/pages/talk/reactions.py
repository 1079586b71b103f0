"""What a player says of one placement by a mark, on a page of its own: for older moves, and without scripts."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from accounts.models import User
from games.base import access, positions
from games.base.talk import check_may_react, check_reader
from games.errors import NotFound, NotSeated, WrongStatus
from games.pages.board.moves import MoveView, move_views
from games.pages.board.reactions import ReactingView, Reactions
from games.pages.board.table import players_at
from games.queries.play.moves import move_rows
from games.queries.play.players import seated_of, viewer_seat
from games.queries.talk.reactions import reactions_of
from games.table.reactions import NO_PLACEMENT, OWN
from games.values import Kind
from games.words.names import game_title

if TYPE_CHECKING:
    from games.models import Game


@dataclass(frozen=True)
class ReactionPage:
    """A placement, what was said of it, and what the viewer can say; `why` not, if not."""

    slug: str
    game: str
    line: MoveView
    said: tuple[str, ...]
    reacting: ReactingView | None
    why: str


def reaction_page(user: User, slug: str, number: int) -> ReactionPage:
    """Return what is said of the placement of that number, for a player of the game. Three queries, or four.

    Raises:
        NotFound: there is no such game for this person, or no piece was placed with that move.
        NotSeated: the person only looks (`not-seated`), or nobody talks on this site (`talk-off`).
        WrongStatus: the game has not started.

    """
    game, now = access.started_game_to_view(user, slug), timezone.now()
    check_reader(game, user)
    moves = move_rows(game)
    if not (0 < number <= len(moves) and moves[number - 1].kind == Kind.PLACE):
        raise NotFound(NO_PLACEMENT)
    players = players_at(positions.position_of(game, moves), seated_of(game), viewer_seat(game, user))
    lines = move_views(players, moves, now=now)
    why = _why_not(game, user, now)
    reactions = Reactions(slug, players, moves, reactions_of(game, user), may_react=not why)
    line = reactions.beside(lines)[number - 1]
    return ReactionPage(
        slug=slug,
        game=game_title(game, user.pk),
        line=line,
        said=tuple(each.said for each in line.reactions),
        reacting=reactions.at(number),
        why=why or ("" if line.react else str(OWN)),
    )


def _why_not(game: "Game", user: User, now: datetime) -> str:
    try:
        check_may_react(game, user, now)
    except (NotSeated, WrongStatus) as refusal:
        return str(refusal)
    return ""
