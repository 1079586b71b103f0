"""The first page: a public board to look at, live if there is one."""

from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext

from games import positions
from games.bots.registry import engines
from games.models import Game, Status
from games.queries import cards, names
from games.queries.drawing import BoardView, board_view
from games.rules import Position

#: With fewer moves a board is too empty to look at.
FEW_MOVES = 8
EXAMPLE_MOVES = 30


@dataclass(frozen=True)
class Featured:
    """A board for the first page. `slug` leads to its game, empty where no public game is there to be shown."""

    board: BoardView
    slug: str
    title: str
    line: str
    is_live: bool


def featured() -> Featured:
    """Return the public game that was played in last, a running one if there is any (at most 4 queries)."""
    game = _latest(Status.RUNNING) or _latest(Status.FINISHED)
    if game is None:
        return Featured(_example(), "", gettext("A game of four"), gettext("An example"), is_live=False)
    cards.load_players([game])
    is_live = game.status == Status.RUNNING
    card = cards.running_card(game, None, game.changed_at) if is_live else cards.finished_card(game, None)
    return Featured(
        board=board_view(positions.position_of(game)),
        slug=game.slug,
        title=names.game_title(game, None),
        line=gettext("%(what)s, %(how)s") % {"what": card.about, "how": card.line},
        is_live=is_live,
    )


def _latest(status: Status) -> Game | None:
    games = Game.objects.filter(status=status, is_public=True, move_count__gte=FEW_MOVES)
    return games.order_by("-changed_at", "-pk").first()


@cache
def _example() -> BoardView:
    """Return a board that the greedy bot has played against itself; computed once."""
    position, engine = Position.start("blockyou-4"), engines()["greedy"].make()
    for number in range(1, EXAMPLE_MOVES):
        position = position.play(engine.think(position, seed=7, number=number).placement)
    return board_view(position)
