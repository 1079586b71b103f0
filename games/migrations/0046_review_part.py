"""What a review has found so far gets rows of its own, so that a step need not write all of it again."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0045_note"),
    ]

    operations = [
        migrations.CreateModel(
            name="ReviewPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("finding", models.JSONField()),
                (
                    "review",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="games.review",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [models.UniqueConstraint(fields=("review", "number"), name="review_part_number_once")],
            },
        ),
    ]
