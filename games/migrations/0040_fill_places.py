"""Write the places of 0039 for the games that have ended, a range of games at a time."""

from django.db import migrations

#: Games whose seats are written at a time, each range on its own, so that others can write between.
RANGE = 10_000

# One more than the seats before it: those that stayed come before those that left, then the better score.
PLACES = """
UPDATE games_player SET place = 1 + (
    SELECT COUNT(*) FROM games_player other
    WHERE other.game_id = games_player.game_id AND (
        (other.retired = '' AND games_player.retired <> '')
        OR (
            (other.retired = '') = (games_player.retired = '')
            AND COALESCE(other.score, 0) > COALESCE(games_player.score, 0)
        )
    )
)
WHERE ended_at IS NOT NULL AND game_id >= %s AND game_id < %s
"""


def fill(apps, schema_editor):
    """Write what `games.table.cached` writes from now on."""
    last = apps.get_model("games", "Game").objects.order_by("pk").values_list("pk", flat=True).last() or 0
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, last + 1, RANGE):
            cursor.execute(PLACES, [start, start + RANGE])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0039_places"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
