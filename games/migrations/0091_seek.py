"""What people always want to play."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0090_puzzle_try"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Seek",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("variant", models.CharField(max_length=20)),
                ("pace", models.CharField(max_length=10)),
                ("is_rated", models.BooleanField()),
                ("number", models.PositiveSmallIntegerField()),
                ("wait", models.PositiveSmallIntegerField(default=0)),
                ("set_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                (
                    "person",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seeks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "table",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="seek",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["due_at"], name="seek_due"),
                    models.Index(fields=["variant", "pace", "is_rated", "due_at"], name="seek_kind"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("person", "variant", "pace", "is_rated"), name="seek_once")
                ],
            },
        ),
    ]
