from datetime import timedelta

from django.db import migrations
from django.db.models import Exists, OuterRef
from django.utils import timezone


def fill(apps, schema_editor):
    """Let every open table wait for the whole time from now on: its host has to be told before it closes."""
    Game, Player = apps.get_model("games", "Game"), apps.get_model("games", "Player")
    tables = Game.objects.filter(status="open")
    tables.update(expires_at=timezone.now() + timedelta(days=14))
    free = Player.objects.filter(game=OuterRef("pk"), user=None, bot="", access="open")
    tables.filter(Exists(free), is_public=True).update(is_listed=True)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0014_open_tables'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
