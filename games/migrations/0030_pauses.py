"""Pauses that people at a table agree on, and the request for one. Of running games none is paused so far."""

from django.db import migrations, models
from django.db.models import Q, Value


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0029_lets_choose"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="pauses",
            field=models.JSONField(blank=True, db_default=Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name="game",
            name="pause_request",
            field=models.JSONField(blank=True, db_default=Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name="game",
            name="pause_ends_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=Q(pause_ends_at__isnull=False), fields=["pause_ends_at"], name="game_pause_ends"
            ),
        ),
    ]
