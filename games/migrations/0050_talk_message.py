"""What people say to each other at a table, and how much of it a player has not read."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0049_pattern_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="TalkMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "audience",
                    models.CharField(
                        choices=[("players", "Players"), ("watchers", "Watchers")], default="players", max_length=8
                    ),
                ),
                ("phrase", models.CharField(blank=True, default="", max_length=20)),
                ("day", models.DateField(blank=True, null=True)),
                ("text", models.CharField(blank=True, default="", max_length=500)),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="player",
            name="unread_messages",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="talkmessage",
            name="author",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="messages",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="talkmessage",
            name="game",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="games.game"
            ),
        ),
        migrations.AddIndex(
            model_name="talkmessage",
            index=models.Index(fields=["game", "-id"], name="message_latest"),
        ),
        migrations.AddConstraint(
            model_name="talkmessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("phrase", ""), ("text", ""), _connector="OR"), name="message_phrase_or_text"
            ),
        ),
    ]
