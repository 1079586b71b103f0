"""What is reported and hidden is a message to those who read it. No statement: choices are none of the database's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0099_rating_others")]

    operations = [
        migrations.AlterField(
            model_name="decision",
            name="measure",
            field=models.CharField(
                choices=[
                    ("none", "No measure"),
                    ("hide", "Message or comment hidden"),
                    ("warn", "Warning"),
                    ("rename", "Name taken away"),
                    ("silence", "Ready phrases only"),
                    ("suspend", "Account suspended"),
                    ("ban", "Account suspended for good"),
                    ("lift", "Decision taken back"),
                ],
                max_length=8,
            ),
        ),
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
                ],
                max_length=8,
            ),
        ),
    ]
