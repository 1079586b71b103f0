"""For how many seconds the bot of a seat simulates games before each move. Where bots sit, as their level does."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0037_receiver"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="bot_seconds",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
