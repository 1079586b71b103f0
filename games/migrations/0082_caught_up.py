"""Note of players until where they were shown what had happened while they were away."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0081_study_editor"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="caught_up",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
