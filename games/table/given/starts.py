"""Where a new game begins: at a position of a finished game, of what was tried in it, or of a study."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, positions
from games.base.given import GivenMove, GivenStart
from games.errors import BadRequest, WrongStatus
from games.models import Status
from games.queries.play.moves import move_rows
from games.queries.play.players import own_side, recorded_side
from games.rules import IllegalPlacement, Position
from games.rules.reaching import CutShortError, turns_to
from games.rules.record import format_turn, play_on
from games.table import analysing, records
from games.table.progress import passes_by_itself
from games.table.unadvised import check_no_help

NOTHING_TO_PLAY = _("No piece can be placed here any more. Choose an earlier move.")
NO_ORDER = _("No game can begin in this study: there is no order in which a game could place its first pieces.")
CUT_SHORT = _(
    "No game can begin in this study: we looked for an order in which a game could place its first pieces, and stopped "
    "before we had tried them all."
)
STILL_PLAYED = _("This is a position of a game that you still play. You can begin here once it is over.")


def start_asked(user: User, game: str, study: str, after: int | None, node: int) -> GivenStart | None:
    """Return where a new game begins in the game or study with that slug; None where both are empty.

    Raises:
        BadRequest: both are asked for; `field` is from_study.
        NotFound, WrongStatus: as `start_in_game` and `start_in_study`.

    """
    if game and study:
        raise BadRequest(_("A game begins in another game or in a study, not in both."), field="from_study")
    if game:
        return start_in_game(user, game, after, node)
    return start_in_study(user, study, after) if study else None


def start_in_game(user: access.Viewer, slug: str, after: int | None, node: int = 0, token: str = "") -> GivenStart:
    """Return where a new game begins after so many moves of a finished one, by default after all; or with a `node`
    after the move of that number that the person has tried in it. Three queries, with a node four and that of
    `check_no_help`, which a game on one device asks too: one person may have placed for all.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over (`not-over`), the branch is gone (`no-such-branch`), it is that of a
                running game (`running-game`), or no game can begin there.

    """
    game = access.game_to_view(user, slug, token)
    if game.status != Status.FINISHED:
        raise WrongStatus(_("You can play from a position of a game once it is over."), code="not-over")
    played = move_rows(game)
    tried: tuple[str, ...] = ()
    if node and isinstance(user, User):
        branches, _edition = analysing.branches_beside(user, game, played)
        line = branches.line(node)
        after, tried = line[0].after, tuple(one.move for one in line)
    texts = [positions.text_of(move) for move in played[:after]]
    start = _settled(positions.start_of(game), texts, declares_passes=game.declares_passes)
    for move in tried:
        start = _settled(start[-1], [move], start, declares_passes=game.declares_passes)
    moves = _moves(start)
    if tried or game.is_on_one_device:
        check_no_help(user, start[-1], STILL_PLAYED)
    return GivenStart(moves, start[-1], game.slug, game.is_public, game.declares_passes, own_side(game, user))


def start_in_study(user: access.Viewer, slug: str, after: int | None, branch: int = 0) -> GivenStart:
    """Return where a new game begins after so many moves of a study, by default after all; with a `branch` of the
    variation through its varied turn of that number. One query, and those of `check_no_help` and `recorded_side`.

    Raises:
        NotFound: there is no such study for this person.
        WrongStatus: no game can begin there, as `turns_before` and as above.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    turns, first = game.line(branch if 0 < branch <= len(game.varied) else 0)[:after], game.start()
    before = turns_before(first)
    start = Position.start(game.variant, game.record.colours, game.record.scoring)
    try:
        stages = _settled(start, [*before, *turns], declares_passes=False)
    except IllegalPlacement as over:
        # Passes that a position which was set up knows nothing of have ended the game.
        raise WrongStatus(NOTHING_TO_PLAY, code="nothing-to-play") from over
    moves = _moves(stages)
    check_no_help(user, stages[-1], STILL_PLAYED)
    return GivenStart(moves, stages[-1], "", study.is_shared, declares_passes=False, side=recorded_side(game, user))


def turns_before(start: Position) -> tuple[str, ...]:
    """Return the moves of a game that comes to the position with which a study begins: none at an empty board.

    Raises:
        WrongStatus: pieces were set up as no game places them (`set-up`), or too many orders would have to be tried to
                know it (`set-up-unknown`).

    """
    if not start.is_set_up:
        return ()
    try:
        turns = turns_to(start)
    except CutShortError as unknown:
        raise WrongStatus(CUT_SHORT, code="set-up-unknown") from unknown
    if turns is None:
        raise WrongStatus(NO_ORDER, code="set-up")
    return turns


def _settled(
    position: Position, texts: Iterable[str], before: Sequence[Position] = (), *, declares_passes: bool
) -> list[Position]:
    """Return the positions `before`, that given and those after each move, with the passes that make themselves."""
    found = [*before[:-1], *play_on(position, texts, validate=False)]
    while passes_by_itself(found[-1], declares_passes):
        found.append(found[-1].pass_turn())
    return found


def _moves(stages: Sequence[Position]) -> tuple[GivenMove, ...]:
    """Return the moves between the stages.

    Raises:
        WrongStatus: there are none (`nothing-given`), a player had left (`player-left`), or the game was over there.

    """
    last = stages[-1]
    if len(stages) == 1:
        sentence = _("This is the empty board. Choose a later move, or open a new game.")
        raise WrongStatus(sentence, code="nothing-given")
    if last.retired:
        sentence = _("A player had already left here. Choose an earlier move.")
        raise WrongStatus(sentence, code="player-left")
    if last.is_over:
        raise WrongStatus(NOTHING_TO_PLAY, code="nothing-to-play")
    turns = last.history
    return tuple(
        GivenMove(before.seat or 0, before.colour or "", "" if turn.placement is None else format_turn(turn))
        for before, turn in zip(stages, turns, strict=False)
    )
