"""The place of a finished seat, by which a person's games are found."""

from django.db import migrations, models

_ENDED = models.Q(("ended_at__isnull", False), ("user__isnull", False))


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0038_bot_seconds"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="place",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=_ENDED, fields=["user", "place", "-ended_at", "-game"], name="player_place"
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=_ENDED, fields=["user", "variant", "place", "-ended_at", "-game"], name="player_variant_place"
            ),
        ),
    ]
