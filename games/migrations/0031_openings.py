"""The named opening that a finished seat has followed, and how the openings have scored."""

from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0030_pauses"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OpeningRecord",
            fields=[
                ("opening", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("wins", models.BigIntegerField(default=0)),
                ("ties", models.BigIntegerField(default=0)),
                ("losses", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="opening",
            field=models.CharField(blank=True, max_length=20, null=True),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("ended_at__isnull", False), ("user__isnull", False), ("opening__isnull", False)),
                fields=["user", "opening", "-ended_at", "-game"],
                name="player_opening",
            ),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(
                    ("ended_at__isnull", False),
                    ("user__isnull", False),
                    ("opening__isnull", False),
                    ("is_public", True),
                ),
                fields=["opening", "-ended_at", "-game"],
                name="player_opened_so",
            ),
        ),
    ]
