"""What a study and its variations are called can be reported. No statement: choices are none of the database's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0100_message_labels")]

    operations = [
        migrations.AlterField(
            model_name="playerreport",
            name="kind",
            field=models.CharField(
                choices=[
                    ("line", "A message"),
                    ("name", "A player"),
                    ("table", "A table"),
                    ("group", "The name of a group"),
                    ("comment", "A comment in a study"),
                    ("study", "The title of a study"),
                    ("branch", "The name of a variation"),
                ],
                max_length=8,
            ),
        ),
    ]
