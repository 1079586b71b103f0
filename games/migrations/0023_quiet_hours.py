"""Quiet hours of players and weekends at tables: when clocks stand still. Old code lets them run."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0022_player_reopened_at'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='rests_weekends',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='player',
            name='quiet_hours',
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
