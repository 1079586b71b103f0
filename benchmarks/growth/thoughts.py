"""What people of a large site have thought between moves: branches, mistakes, plans, studies and comments in them.

Everyone has tried a move in every game of theirs, each person has a mistake in one of ten finished games, and a plan in
each that goes on, of which nothing is left to play. In every database the veteran has more mistakes than a page shows.
Studies are as many for each person in every database: a person has 500 at most.
"""

from django.db import connection
from django.utils import timezone

from accounts.models import User
from games.actions.studies.create_study import create_study
from games.models import Study
from games.rules import Position
from games.rules.records import GameRecord

#: The study of which all others are copies: its slug, and how many each person has, with so many comments.
PATTERN, STUDIES, COMMENTS = "pattern", 5, 3

#: The same first move as in the game, which can be tried on any board.
BRANCHES = """
    INSERT INTO games_analysis (game_id, user_id, tree, edition, changed_at)
    SELECT seat.game_id, seat.user_id,
        CAST('{{"tried": [[1, 0, 0, "' || move.colour || '", "' || move.placement || '", ""]], "last": 1}}' AS {json}),
        1, game.changed_at
    FROM games_player seat JOIN games_game game ON game.id = seat.game_id
    JOIN games_move move ON move.game_id = game.id AND move.number = 1 AND move.kind = 'place'
    WHERE seat.user_id IS NOT NULL ORDER BY seat.id
"""

#: Half of them are learnt.
MISTAKES = """
    INSERT INTO games_mistake (user_id, game_id, number, cost, step, tries, due_at)
    SELECT seat.user_id, seat.game_id, 1, 20, 0, 0, CASE WHEN seat.id % 2 = 0 THEN seat.ended_at END
    FROM games_player seat
    WHERE seat.user_id IS NOT NULL AND seat.ended_at IS NOT NULL AND seat.game_id % 10 = 0 ORDER BY seat.id
"""

#: In every database so many games of the veteran have two mistakes more, both due: together more than a page shows.
GAMES_WITH_MISTAKES = 60
OFTEN_MISTAKEN = """
    INSERT INTO games_mistake (user_id, game_id, number, cost, step, tries, due_at)
    SELECT seat.user_id, seat.game_id, place.n, 20, 0, 0, seat.ended_at
    FROM (
        SELECT one.id, one.user_id, one.game_id, one.ended_at
        FROM games_player one JOIN accounts_user person ON person.id = one.user_id
        WHERE person.username = %s AND one.ended_at IS NOT NULL ORDER BY one.id LIMIT {games}
    ) seat CROSS JOIN ({places}) place
    WHERE place.n > 1 ORDER BY seat.id, place.n
"""

#: Their turns have been played.
PLANS = """
    UPDATE games_player SET plan = CAST('{{"edition": 1, "number": 1}}' AS {json})
    WHERE user_id IS NOT NULL AND is_going
"""

STUDIES_OF_ALL = """
    INSERT INTO games_study (slug, owner_id, title, record, is_shared, created_at, edition, has_editors, variant, board,
        move_count)
    SELECT 's' || person.id || 'x' || place.n, person.id, one.title, one.record, FALSE, person.date_joined, 1, FALSE,
        one.variant, one.board, one.move_count
    FROM accounts_user person CROSS JOIN ({places}) place CROSS JOIN games_study one
    WHERE one.slug = %s ORDER BY person.id, place.n
"""
COMMENTS_OF_ALL = """
    INSERT INTO games_studycomment (study_id, author_id, variation, move, text, written_at, is_hidden)
    SELECT study.id, study.owner_id, 0, 1, 'Here I saw the corner.', study.created_at, FALSE
    FROM games_study study CROSS JOIN ({places}) place ORDER BY study.id
"""


def think(veteran: str) -> None:
    """Fill the tables, after those of people and games; `veteran` is the name of who has played most."""
    json = "jsonb" if connection.vendor == "postgresql" else "text"
    owner = User.objects.order_by("pk")[0]
    first = Position.start("duo")
    pattern = create_study(owner, GameRecord.of(first.play(first.legal_placements()[0])), now=timezone.now())
    Study.objects.filter(pk=pattern.pk).update(slug=PATTERN)
    with connection.cursor() as cursor:
        for statement in (BRANCHES, MISTAKES, PLANS):
            cursor.execute(statement.format(json=json))
        often = OFTEN_MISTAKEN.format(games=GAMES_WITH_MISTAKES, places=_places(3))
        cursor.execute(often, [veteran])
        cursor.execute(STUDIES_OF_ALL.format(places=_places(STUDIES)), [PATTERN])
        cursor.execute(COMMENTS_OF_ALL.format(places=_places(COMMENTS)))


def _places(number: int) -> str:
    """Return a query for the numbers from 1 to that."""
    return " UNION ALL ".join(f"SELECT {n} AS n" for n in range(1, number + 1))
