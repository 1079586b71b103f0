"""Creating a study from a record."""

from collections import deque

from django.utils.translation import gettext

from games.base.text import plain
from games.models import Study
from games.rules.records import GameRecord, write_json
from games.table import records

#: How many studies a person may have: as many as 10,000 moves of the shortest games come to.
MAX_STUDIES = 500


def new_study(game: GameRecord, title: str = "") -> Study:
    """Return a study of a record, no one's yet and not saved. Without a title it is called as the record says."""
    position = deque(game.positions(validate=False), maxlen=1).pop()
    people = " · ".join(records.player_names(game, position))
    return Study(
        title=plain(title) or plain(game.title) or plain(people) or gettext("Study"),
        record=write_json(game),
        variant=game.record.variant,
        board=position.board,
        move_count=len(game.record.moves),
    )
