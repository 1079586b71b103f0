"""Find the seats whose players have planned a turn that is still to come."""

from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0066_plan"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="player",
            index=models.Index(condition=models.Q(("is_planning", True)), fields=["game"], name="player_planning"),
        ),
    ]
