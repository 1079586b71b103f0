"""What is changed at a table before the start, when bots take its empty seats, and what a notice says beside."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0023_quiet_hours"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="fill_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="fill_bot",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AddField(
            model_name="notification",
            name="detail",
            field=models.CharField(blank=True, db_default="", default="", max_length=12),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(condition=models.Q(("fill_at__isnull", False)), fields=["fill_at"], name="game_fill"),
        ),
        migrations.CreateModel(
            name="TableChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("change", models.CharField(max_length=12)),
                ("values", models.JSONField(blank=True, default=dict)),
                ("changed_at", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="changes", to="games.game"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["id"]},
        ),
    ]
