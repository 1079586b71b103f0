"""How many seconds the bots of a table wait before each of their moves. At tables that are open they do not."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0034_explanations"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="bot_pause",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
