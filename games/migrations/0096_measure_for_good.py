"""A measure more: an account that is suspended for good. No statement: choices are none of the database's."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0095_study_changes")]

    operations = [
        migrations.AlterField(
            model_name="decision",
            name="measure",
            field=models.CharField(
                choices=[
                    ("none", "No measure"),
                    ("hide", "Line hidden"),
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
    ]
