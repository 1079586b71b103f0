"""Let a table be of a group: alone, so that games wait for no other table of which a key is to be locked."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0068_groups"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="group",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="games",
                to="games.group",
            ),
        ),
    ]
