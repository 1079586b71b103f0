"""Tables whose people sit at one device: whether one is, and who sits there without an account."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0082_caught_up"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="is_on_one_device",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
