"""When a player last opened a game that had been put away. Old code leaves it empty."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0021_push_subscription"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="reopened_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
