"""Whether the players of a table choose their seats until the game begins. At tables that are open they do not."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0028_cancelled_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="lets_choose",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
