"""Write how far the reviews of before 0043 are, a range of rows at a time."""

from django.db import migrations

#: How many rows are written at a time, each range on its own, so that others can write between.
RANGE = 1000

DONE = {
    "postgresql": "UPDATE games_review SET done = jsonb_array_length(findings) WHERE id >= %s AND id < %s",
    "sqlite": "UPDATE games_review SET done = json_array_length(findings) WHERE id >= %s AND id < %s",
}


def fill(apps, schema_editor):
    """Write what `keep_findings` writes from now on."""
    last = apps.get_model("games", "Review").objects.order_by("pk").values_list("pk", flat=True).last() or 0
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, last + 1, RANGE):
            cursor.execute(DONE[schema_editor.connection.vendor], [start, start + RANGE])


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0043_review_done"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
