"""Take away an index that no query needs: one by variant, or by result, finds the same games as soon.

A tenth of the weight of all indexes of seats (docs/scaling.md).
"""

from django.db import migrations

from games.migrations._concurrently import RemoveIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0047_chat_agreed"),
    ]

    operations = [
        RemoveIndexConcurrently("player", "player_variant_result"),
    ]
