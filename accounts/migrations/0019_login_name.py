"""Members who choose another public name go on logging in with the one they had; until then there is none beside it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0018_chat_by_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="login_name",
            field=models.CharField(blank=True, editable=False, max_length=20, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="login_key",
            field=models.CharField(editable=False, max_length=40, null=True, unique=True),
        ),
    ]
