"""The puzzle of each day."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0087_rated_ended")]

    operations = [
        migrations.CreateModel(
            name="DailyPuzzle",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("key", models.CharField(max_length=24, unique=True)),
                ("source", models.CharField(max_length=32)),
                ("number", models.PositiveBigIntegerField(default=0)),
                ("kind", models.CharField(max_length=8)),
                ("variant", models.CharField(max_length=40)),
                ("moves", models.JSONField()),
                ("solutions", models.JSONField()),
                ("proof", models.JSONField()),
            ],
            options={"indexes": [models.Index(fields=["source", "-number"], name="puzzle_source")]},
        ),
    ]
