"""How far a review is: the sweep and the waiting page need not load what was found."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0042_fill_companion_names"),
    ]

    operations = [
        migrations.AddField(
            model_name="review",
            name="done",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
    ]
