from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0069_game_group"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["group", "status", "-changed_at", "-id"],
                condition=models.Q(group__isnull=False),
                name="game_group",
            ),
        ),
    ]
