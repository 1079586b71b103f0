"""The key of a companion's name, by which a part of it is looked for."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0040_fill_places"),
    ]

    operations = [
        migrations.AddField(
            model_name="companion",
            name="other_key",
            field=models.CharField(db_default="", default="", max_length=40),
        ),
        migrations.AddIndex(
            model_name="companion",
            index=models.Index(fields=["user", "other_key", "other"], name="companion_name"),
        ),
    ]
