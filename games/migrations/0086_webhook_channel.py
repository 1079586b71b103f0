"""The chat of a table may be the channel of its group."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0085_group_channel"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="channel",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="webhooks",
                to="games.groupchannel",
            ),
        ),
    ]
