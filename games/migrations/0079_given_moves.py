"""Games that begin at a position of another: how many of their moves were given, and of which game."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0078_child"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="given_moves",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="game",
            name="begun_from",
            field=models.CharField(blank=True, db_default="", default="", max_length=12),
        ),
    ]
