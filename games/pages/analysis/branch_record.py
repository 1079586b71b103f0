"""Branches as records: of a finished game for a new study, of any game beside its moves, for a file of one's own."""

from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from accounts.models import User
from games.base import access, positions
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.play.moves import move_rows
from games.rules import Position
from games.rules.record import format_turn
from games.rules.records import GameRecord, VariationPlace, VariationTree, VariedTurn, result_text
from games.table import analysing
from games.table.records import record_of
from games.words import names

if TYPE_CHECKING:
    from games.models import Game


def varied_turns(user: User, slug: str, token: str = "") -> tuple[VariedTurn, ...]:
    """Return all of the person's branches of a finished game as variations, with the names of their parts.

    Four queries.

    Raises:
        NotFound: as `access.game_to_analyse`.
        WrongStatus: the game is not over (`not-over`).

    """
    game = access.game_to_analyse(user, slug, token)
    access.check_reviewable(game)
    return _varied(user, game)


def record_with_branches(user: User, slug: str, token: str = "") -> GameRecord:
    """Return the record of a game so far with all that the person has tried in it as variations. Six queries at most.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.

    """
    game = access.game_to_analyse(user, slug, token)
    return replace(record_of(game), varied=_varied(user, game))


def _varied(user: User, game: "Game") -> tuple[VariedTurn, ...]:
    played = move_rows(game)
    branches, _edition = analysing.branches_beside(user, game, played)
    tree = VariationTree([positions.text_of(move) for move in played])
    waiting = []
    for one in branches.tried.values():
        if not one.parent:
            stage = analysing.position_at(game, played, branches, AnalysisPlace(0, one.after))
            place = _beyond(tree, VariationPlace(0, one.after), stage, one.after)
            waiting.append((one, stage, place))
    while waiting:
        one, before, place = waiting.pop(0)
        stage = analysing.position_beyond(game, before, one.move)
        there = _beyond(tree, place, stage, len(before.history), one.name)
        waiting += [(each, stage, there) for each in branches.following(one.number)]
    return tuple(tree.turns())


def _beyond(tree: VariationTree, place: VariationPlace, stage: Position, played: int, name: str = "") -> VariationPlace:
    """Return the place after the turns that a position has beyond so many; the first of them is called so."""
    for number, turn in enumerate(stage.history[played:]):
        place = tree.follow(place, format_turn(turn))
        if name and not number and place.number:
            tree.call(place.number, name)
    return place


def branch_record(user: User, slug: str, place: AnalysisPlace, token: str = "") -> GameRecord:
    """Return the branch that a place is on, up to its end, with the names of its parts as comments. Four queries.

    Raises:
        NotFound: as `access.game_to_analyse`.
        WrongStatus: the game is not over (`not-over`), or the branch is gone (`no-such-branch`).

    """
    game = access.game_to_analyse(user, slug, token)
    access.check_reviewable(game)
    played = move_rows(game)
    branches, _edition = analysing.branches_beside(user, game, played)
    line = (*branches.line(branches.find(place.node).number), *branches.onward(place.node))
    stages = [analysing.position_at(game, played, branches, AnalysisPlace(0, line[0].after))]
    comments: dict[int, str] = {}
    for one in line:
        number = len(stages[-1].history) + 1
        stages.append(analysing.position_beyond(game, stages[-1], one.move))
        said = [gettext("Tried on the analysis board from here on.")] if one is line[0] else []
        comments |= {number: "\n".join((*said, one.name)).strip()} if said or one.name else {}
    return GameRecord.of(
        stages[-1],
        comments=comments,
        players=tuple(names.player_name(player) for player in game.players.all()),
        title=next((one.name for one in reversed(line) if one.name), game.name),
        result=result_text(stages[-1]),
    )
