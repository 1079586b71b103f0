"""Take away the indexes for LIKE that Django gives unique texts on PostgreSQL: no query looks for a part of these.

A quarter of the weight of all indexes of games (docs/scaling.md). What they are called follows from the columns.
"""

from django.db import migrations

from games.migrations._concurrently import drop_concurrently

NAMES = ("games_game_slug_02e11826_like", "games_game_invite_token_d251eeed_like")


def drop(_apps, schema_editor):
    """Take both away; where there are none nothing changes."""
    if schema_editor.connection.vendor == "postgresql":
        for name in NAMES:
            drop_concurrently(schema_editor, name)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0048_player_variant_result"),
    ]

    operations = [
        # Without them everything is as fast: old code misses nothing, and nothing is built on the way back.
        migrations.RunPython(drop, migrations.RunPython.noop),
    ]
