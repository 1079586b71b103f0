from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0086_webhook_channel"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="game",
            index=models.Index(
                fields=["finished_at"],
                condition=models.Q(is_rated=True, finished_at__isnull=False),
                name="game_rated_ended",
            ),
        ),
    ]
