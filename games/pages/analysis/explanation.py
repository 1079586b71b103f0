"""Why a bot made one of its moves: what speaks for the placement, how it was chosen, and where it lies."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext_lazy

from games.base import access, positions
from games.base.terms import explains_in_play
from games.drawing.thumbnails import Thumbnail, edge_path, mark_path, thumbnail
from games.errors import WrongStatus
from games.queries.play.bot_thoughts import is_explained, thought_at
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.players import own_side
from games.queries.play.state import GameState
from games.rules import Placement
from games.rules.records import Thinking
from games.values import Kind
from games.words import names, sentences
from games.words.reasons import reason_sentences
from games.words.thoughts import figures_line, how_chosen

if TYPE_CHECKING:
    from games.models import Game

ONLY_LATER = gettext_lazy("At this table the bots explain their moves once the game is over.")
NO_BOT_YET = gettext_lazy("No bot has placed a piece in this game yet.")
NOTHING_KEPT = gettext_lazy("No explanation of this move was kept.")


@dataclass(frozen=True)
class Explanation:
    """A bot's move, explained. `colour` is its colour's name, `code` its code.

    `how` says how it was chosen or that nothing was kept of it, `reasons` what the placement does, a sentence each,
    `figures` what it took; the last two may be empty. `mark` is the path of its cells in the picture `thumb`, which
    shows the board before it, and `edge` is what is drawn around them.
    """

    number: int
    bot: str
    colour: str
    code: str
    label: str
    how: str
    reasons: tuple[str, ...]
    figures: str
    thumb: Thumbnail
    mark: str
    edge: str


@dataclass(frozen=True)
class ExplanationPage:
    """One of the moves that bots have made in a game, explained; `told` is None where there is none.

    `earlier` and `later` are the addresses of the bots' moves before and after it, empty where there are none. `query`
    keeps the token of a link in addresses.
    """

    name: str
    address: str
    query: str
    told: Explanation | None
    earlier: str
    later: str

    @property
    def none(self) -> str:
        """Return what is said where there is no such move."""
        return str(NO_BOT_YET)


@dataclass(frozen=True)
class WhyView:
    """What leads from a game to the explanation of the last move of a bot: whose and which move, and the address."""

    move: str
    address: str


def why_view(state: GameState, address: str, query: str) -> WhyView | None:
    """Return what leads to the last explanation, None where bots explain nothing yet or the game is over. No query."""
    if state.is_over or not explains_in_play(state.game):
        return None
    last = next(filter(is_bots, reversed(state.moves)), None)
    if last is None:
        return None
    piece = last.placement.partition(":")[0]
    return WhyView(f"{names.bot_name(last.bot)}: {piece}", f"{address}why/{query}")


def explanation_page(user: access.Viewer, slug: str, token: str = "", number: int | None = None) -> ExplanationPage:
    """Return a bot's move explained: the last one up to that number, by default the last of all. Four queries at most.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started; or it goes on, and its bots explain their moves only once it is over.

    """
    game = access.started_game_to_view(user, slug, token)
    if not is_explained(game):
        raise WrongStatus(ONLY_LATER, code="not-explained")
    rows = move_rows(game)
    theirs = [row.number for row in rows if is_bots(row)]
    before = [one for one in theirs if number is None or one <= number]
    shown = before[-1] if before else next(iter(theirs), 0)
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    address = reverse("game-why", args=[game.slug]) + (f"{secret}&move=" if secret else "?move=")
    at = theirs.index(shown) if shown else 0
    around = [f"{address}{one}" for one in theirs]
    return ExplanationPage(
        name=names.game_title(game, user.pk),
        address=reverse("game", args=[game.slug]),
        query=secret,
        told=explanation(game, rows, shown, own_side(game, user)) if shown else None,
        earlier=around[at - 1] if at else "",
        later=next(islice(around, at + 1, None), ""),
    )


def is_bots(row: MoveRow) -> bool:
    """Return whether a bot has placed a piece with this move, for itself or for an absent player."""
    return bool(row.bot) and row.kind == Kind.PLACE


def explanation(game: "Game", rows: Sequence[MoveRow], number: int, side: int) -> Explanation:
    """Return the placement of that number, a bot's, explained, on a board turned by `side` quarters. One query."""
    row, thought = rows[number - 1], thought_at(game.slug, number)
    placement = Placement.parse(row.placement, game.variant)
    board = positions.position_of(game, rows[: number - 1]).board
    return Explanation(
        number=number,
        bot=names.bot_name(row.bot),
        colour=sentences.colour(row.colour),
        code=row.colour,
        label=sentences.placement_label(placement),
        how=how_chosen(thought) if thought else str(NOTHING_KEPT),
        reasons=reason_sentences(thought.reasons) if thought else (),
        figures=figures_line(thought) if thought else "",
        thumb=thumbnail(board, game.variant, side),
        mark=mark_path(placement.cells, row.colour, game.variant, side),
        edge=edge_path(placement.cells, row.colour, game.variant, side),
    )


def explained_lines(thought: Thinking | None) -> tuple[str, ...]:
    """Return what is to be said of a bot's move in lines to read, without a picture; figures where there is no more."""
    if thought is None:
        return (str(NOTHING_KEPT),)
    told = tuple(filter(None, (how_chosen(thought), *reason_sentences(thought.reasons))))
    return told or (figures_line(thought),)
