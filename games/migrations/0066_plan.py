"""Let players plan their next turns."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0065_mistakes"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="plan",
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddField(
            model_name="player",
            name="is_planning",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
