"""Comments in studies, which can be reported as lines of talk can, and how often a study was changed, and whether
others write in it.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0079_given_moves"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="study",
            name="edition",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="study",
            name="has_editors",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.CreateModel(
            name="StudyComment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("variation", models.PositiveSmallIntegerField(default=0)),
                ("move", models.PositiveSmallIntegerField()),
                ("text", models.CharField(max_length=500)),
                ("written_at", models.DateTimeField()),
                ("is_hidden", models.BooleanField(db_default=False, default=False)),
                (
                    "author",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="study_comments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="comments",
                        to="games.study",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["study", "id"], name="comment_of_study")]},
        ),
        migrations.AddField(
            model_name="decision",
            name="comment_key",
            field=models.BigIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="playerreport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("line", "A line of talk"),
                    ("name", "A player"),
                    ("table", "A table"),
                    ("group", "The name of a group"),
                    ("comment", "A comment in a study"),
                ],
                max_length=8,
            ),
        ),
    ]
