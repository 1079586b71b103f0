"""The latest changes of a study's variations are kept, so that they can be undone and redone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0094_seek_idle")]

    operations = [
        migrations.AddField(
            "study", "changes", models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict)
        ),
    ]
