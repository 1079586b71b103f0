"""Find the games in which a person has not read what was said, for the count in the navigation."""

from django.db import migrations, models

from games.migrations._concurrently import AddIndexConcurrently


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0050_talk_message"),
    ]

    operations = [
        AddIndexConcurrently(
            model_name="player",
            index=models.Index(
                condition=models.Q(("unread_messages__isnull", False)), fields=["user", "game"], name="player_unread"
            ),
        ),
    ]
