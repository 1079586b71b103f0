"""The first people who have tried a puzzle are found in their order, which says how hard it is."""

from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("games", "0097_webhook_notice")]

    operations = [
        AddIndexConcurrently(
            model_name="puzzletry",
            index=models.Index(fields=["puzzle", "id"], name="puzzle_try_first"),
        ),
    ]
