"""The named opening that a bot was told to begin with: none, for those that sit."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0032_fill_openings"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="bot_opening",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
    ]
