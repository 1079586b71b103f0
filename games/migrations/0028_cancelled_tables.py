"""When the row of a cancelled table is deleted: of those there are, in a week."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def drop_in_a_week(apps: Any, _editor: Any) -> None:
    cancelled = apps.get_model("games", "Game").objects.filter(status="cancelled", started_at=None)
    cancelled.update(dropped_at=timezone.now() + timedelta(days=7))


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0027_webhook"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="dropped_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("dropped_at__isnull", False)), fields=["dropped_at"], name="game_dropped"
            ),
        ),
        migrations.RunPython(drop_in_a_week, migrations.RunPython.noop),
    ]
