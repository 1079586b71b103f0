"""Whether bots explain their moves while the game goes on, and what speaks for each. Older moves say nothing of it."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0033_bot_opening"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="allows_explanations",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="thought",
            name="reasons",
            field=models.JSONField(blank=True, null=True),
        ),
    ]
