"""The first page: a public game that plays itself."""

from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext

from games.base import positions
from games.base.apart import People
from games.bots.engines.greedy import GreedyEngine
from games.drawing.svg import BoardView, MarkView, board_view, start_marks
from games.pages.lists import cards
from games.queries.people.seated import load_players
from games.queries.tables.open_tables import fullest_featured, latest_featured
from games.rules import VARIANTS, Position
from games.values import Status
from games.words import names

EXAMPLE = "blockyou-4"
#: The variants on the board that the page's words describe: squares, 20 by 20.
ILLUSTRATING = [name for name, variant in VARIANTS.items() if (variant.width, variant.height) == (20, 20)]


@dataclass(frozen=True)
class Featured:
    """A board for the first page, on which its game is played over. `slug` leads to the game, empty for an example.

    `starts` are the start cells, which the first pieces cover.
    """

    board: BoardView
    starts: tuple[MarkView, ...]
    slug: str
    title: str
    line: str
    is_live: bool


def featured(apart: People) -> Featured:
    """Return of the public games on the usual board that ended last the fullest, else the running one played in last.

    None of the people `apart` plays in it, from whom the reader is kept apart. At most 4 queries.
    """
    game = fullest_featured(ILLUSTRATING, apart) or latest_featured(Status.RUNNING, ILLUSTRATING, apart)
    if game is None:
        return example_game()
    load_players([game])
    is_live = game.status == Status.RUNNING
    card = cards.running_card(game, None, game.changed_at) if is_live else cards.finished_card(game, None)
    return Featured(
        board=board_view(positions.position_of(game)),
        starts=_starts(game.variant),
        slug=game.slug,
        title=names.game_title(game, None),
        line=gettext("%(what)s, %(how)s") % {"what": card.about, "how": card.line}
        if is_live
        else gettext("A finished game: %(result)s") % {"result": card.line},
        is_live=is_live,
    )


def example_game() -> Featured:
    """Return a game of four bots to watch where no public one is there yet."""
    title, line = gettext("A four-player game"), gettext("An example, played to its end by bots")
    return Featured(_example(), _starts(EXAMPLE), "", title, line, is_live=False)


@cache
def _starts(variant: str) -> tuple[MarkView, ...]:
    return start_marks(Position.start(variant))


@cache
def _example() -> BoardView:
    """Return a board on which the greedy bot has played against itself to the end; computed once, in 0.1 s."""
    position, engine = Position.start(EXAMPLE), GreedyEngine()
    while not position.is_over:
        number = position.move_count + 1
        if position.has_legal():
            position = position.play(engine.think(position, seed=7, number=number).placement)
        else:
            position = position.pass_turn()
    return board_view(position)
