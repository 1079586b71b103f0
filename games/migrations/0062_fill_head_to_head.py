"""Count for 0061 how the games that have ended went between two people, a range of people at a time."""

from django.db import migrations

#: People whose rows are written at a time, each range on its own, so that others can write between.
RANGE = 1_000

# Counted from nothing: a try that broke off may begin again.
SCORES = """
INSERT INTO games_headtohead (user_id, other_id, variant, won, tied, lost)
SELECT mine.user_id, theirs.user_id, mine.variant,
    SUM(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END),
    SUM(CASE WHEN mine.place = theirs.place THEN 1 ELSE 0 END),
    SUM(CASE WHEN mine.place > theirs.place THEN 1 ELSE 0 END)
FROM games_player mine
JOIN games_player theirs ON theirs.game_id = mine.game_id AND theirs.user_id <> mine.user_id
JOIN accounts_user me ON me.id = mine.user_id
JOIN accounts_user they ON they.id = theirs.user_id
WHERE mine.ended_at IS NOT NULL AND mine.place IS NOT NULL AND theirs.place IS NOT NULL
    AND me.erased_at IS NULL AND they.erased_at IS NULL AND mine.user_id >= %s AND mine.user_id < %s
GROUP BY mine.user_id, theirs.user_id, mine.variant
ORDER BY 1, 2, 3
ON CONFLICT (user_id, other_id, variant) DO UPDATE
SET won = excluded.won, tied = excluded.tied, lost = excluded.lost
"""


def fill(apps, schema_editor):
    """Write what `games.base.counters` counts from now on."""
    last = apps.get_model("accounts", "User").objects.order_by("pk").values_list("pk", flat=True).last() or 0
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, last + 1, RANGE):
            cursor.execute(SCORES, [start, start + RANGE])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0061_head_to_head"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
