"""Players without an account, at the device of whoever opened the table, by name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0083_one_device"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="is_local",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="player",
            name="local_name",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
    ]
