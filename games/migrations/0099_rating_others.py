from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0098_puzzle_try_first"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="playerrating",
            index=models.Index(
                fields=["family", "-points", "id"],
                condition=models.Q(is_listed=False),
                name="rating_others",
            ),
        ),
    ]
