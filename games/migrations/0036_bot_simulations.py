"""How many games the bot of a seat simulates before each move. Where bots sit, as many as their level does."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0035_bot_pause"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="bot_simulations",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
