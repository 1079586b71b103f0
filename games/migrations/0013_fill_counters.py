from django.db import migrations

RECORDS = """
    INSERT INTO games_botrecord (bot, wins, ties, losses, others)
    SELECT bot,
        SUM(CASE WHEN own = 1 AND person = 0 THEN 1 ELSE 0 END),
        SUM(CASE WHEN own = 1 AND person = 1 THEN 1 ELSE 0 END),
        SUM(CASE WHEN own = 0 AND person = 1 THEN 1 ELSE 0 END),
        SUM(CASE WHEN own = 0 AND person = 0 THEN 1 ELSE 0 END)
    FROM (
        SELECT seat.game_id, seat.bot,
            MAX(CASE WHEN seat.is_winner THEN 1 ELSE 0 END) AS own, MAX(people.won) AS person
        FROM games_player seat
        JOIN (
            SELECT game_id, MAX(CASE WHEN is_winner THEN 1 ELSE 0 END) AS won
            FROM games_player WHERE user_id IS NOT NULL GROUP BY game_id
        ) people ON people.game_id = seat.game_id
        JOIN games_game game ON game.id = seat.game_id
        WHERE seat.bot <> '' AND game.status = 'finished'
        GROUP BY seat.game_id, seat.bot
    ) results
    GROUP BY bot
"""

COMPANIONS = """
    INSERT INTO games_companion (user_id, other_id, games, last_at)
    SELECT mine.user_id, theirs.user_id,
        SUM(CASE WHEN game.status = 'finished' THEN 1 ELSE 0 END),
        MAX(COALESCE(game.finished_at, game.started_at, game.changed_at))
    FROM games_player mine
    JOIN games_player theirs ON theirs.game_id = mine.game_id AND theirs.user_id <> mine.user_id
    JOIN games_game game ON game.id = mine.game_id
    JOIN accounts_user me ON me.id = mine.user_id
    JOIN accounts_user they ON they.id = theirs.user_id
    WHERE game.status IN ('running', 'finished') AND me.erased_at IS NULL AND they.erased_at IS NULL
    GROUP BY mine.user_id, theirs.user_id
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0012_counters'),
    ]

    operations = [
        migrations.RunSQL(RECORDS, migrations.RunSQL.noop),
        migrations.RunSQL(COMPANIONS, migrations.RunSQL.noop),
    ]
