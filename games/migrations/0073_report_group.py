"""Let the name of a group be reported: a word more, no column."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0072_standing_table"),
    ]

    operations = [
        migrations.AlterField(
            model_name="playerreport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("line", "A line of talk"),
                    ("name", "A player"),
                    ("table", "A table"),
                    ("group", "The name of a group"),
                ],
                max_length=8,
            ),
        ),
    ]
