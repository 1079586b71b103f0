"""A move that nobody else has been shown yet."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0092_game_channel")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="alone_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="alone_person",
            field=models.BigIntegerField(blank=True, null=True),
        ),
    ]
