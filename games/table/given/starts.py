"""Where a new game begins: at a position of a finished game, of what was tried in it, or of a study."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, positions
from games.base.given import GivenMove, GivenStart
from games.errors import BadRequest, WrongStatus
from games.models import Game, Move, Status
from games.queries.play.moves import move_rows
from games.queries.play.players import own_side
from games.rules import Position
from games.rules.record import format_turn, play_on
from games.table import analysing, records
from games.table.progress import passes_by_itself

#: With fewer moves alike, games have the same opening and no more.
COMMON = 4


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
    after the move of that number that the person has tried in it. Three queries, with a node four and those of
    `_check_no_help`.

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
    if tried:
        _check_no_help(user, start[-1], moves)
    return GivenStart(moves, start[-1], game.slug, game.is_public, game.declares_passes, own_side(game, user))


def start_in_study(user: access.Viewer, slug: str, after: int | None, branch: int = 0) -> GivenStart:
    """Return where a new game begins after so many moves of a study, by default after all; with a `branch` of the
    variation through its varied turn of that number. One query, and those of `_check_no_help`.

    Raises:
        NotFound: there is no such study for this person.
        WrongStatus: no game can begin there: pieces were set up before its first move (`set-up`), or as above.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    start = game.start()
    if start.is_set_up:
        sentence = _("This study begins with pieces that were set up, so no game can begin at its positions.")
        raise WrongStatus(sentence, code="set-up")
    stages = _settled(start, game.line(branch if 0 < branch <= len(game.varied) else 0)[:after], declares_passes=False)
    moves = _moves(stages)
    _check_no_help(user, stages[-1], moves)
    return GivenStart(moves, stages[-1], "", study.is_shared, declares_passes=False)


def _check_no_help(user: access.Viewer, position: Position, moves: Sequence[GivenMove]) -> None:
    """Refuse the line of a running game against others in which the person may ask no engine: one would help there.

    That line is the game's as far as it goes, or as these moves go; a few moves that many games begin with are nobody's
    line, unless the game stands there. Two queries at most.

    Raises:
        WrongStatus: it is (`running-game`).

    """
    if not isinstance(user, User):
        return
    games = Game.objects.filter(players__user=user, status=Status.RUNNING, variant=position.variant.id)
    unadvised = games.exclude(allows_hints=True, allows_advice=True).exclude(move_count=0)
    counts = dict(unadvised.values_list("pk", "move_count"))
    if not counts:
        return
    lines: dict[int, list[str]] = {}
    played = Move.objects.filter(game__in=counts, number__lte=len(moves)).order_by("game", "number")
    for pk, placement in played.values_list("game", "placement"):
        lines.setdefault(pk, []).append(placement)
    given = [move.placement for move in moves]
    for pk, line in lines.items():
        if line == given[: len(line)] and (len(line) >= COMMON or len(given) == counts[pk]):
            sentence = _("This is a position of a game that you still play. You can begin here once it is over.")
            raise WrongStatus(sentence, code="running-game")


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
        raise WrongStatus(_("No piece can be placed here any more. Choose an earlier move."), code="nothing-to-play")
    turns = last.history
    return tuple(
        GivenMove(before.seat or 0, before.colour or "", "" if turn.placement is None else format_turn(turn))
        for before, turn in zip(stages, turns, strict=False)
    )
