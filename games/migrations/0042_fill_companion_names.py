"""Write the keys of 0041 for the people who have played together, a range of rows at a time."""

from django.db import migrations

#: How many rows are written at a time, each range on its own, so that others can write between.
RANGE = 10_000

KEYS = """
UPDATE games_companion SET other_key = (
    SELECT name_key FROM accounts_user other WHERE other.id = games_companion.other_id
)
WHERE id >= %s AND id < %s
"""


def fill(apps, schema_editor):
    """Write what `games.base.counters` writes from now on."""
    last = apps.get_model("games", "Companion").objects.order_by("pk").values_list("pk", flat=True).last() or 0
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, last + 1, RANGE):
            cursor.execute(KEYS, [start, start + RANGE])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0041_companion_names"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
