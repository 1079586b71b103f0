"""Tokens that were made before chats had a scope of their own keep what `tables` let them do."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0017_bot_accounts"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="has_chat_by_tables",
            field=models.BooleanField(db_default=True, default=False),
        ),
    ]
