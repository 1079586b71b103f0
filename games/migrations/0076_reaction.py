"""What players say of placements by marks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("games", "0073_report_group"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="has_reactions",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="Reaction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "word",
                    models.CharField(
                        choices=[
                            ("nice", "Nice"),
                            ("clever", "Clever"),
                            ("wow", "Wow"),
                            ("ha", "Ha"),
                            ("ouch", "Ouch"),
                            ("thanks", "Thanks"),
                        ],
                        max_length=8,
                    ),
                ),
                ("given_at", models.DateTimeField()),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reactions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "move",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reactions",
                        to="games.move",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("move", "author"), name="reaction_once")],
            },
        ),
    ]
