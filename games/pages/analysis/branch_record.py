"""A branch of a finished game as the record of a new study: the game up to where it begins, and what was tried then."""

from django.utils.translation import gettext

from accounts.models import User
from games.base import access
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.play.moves import move_rows
from games.rules.records import GameRecord, result_text
from games.table import analysing
from games.words import names


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
