"""What people always want to play rests once nobody has come to its table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0093_alone")]

    operations = [
        migrations.AddField("seek", "is_idle", models.BooleanField(db_default=False, default=False)),
    ]
