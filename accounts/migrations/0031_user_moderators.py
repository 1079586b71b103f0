"""Moderators are found without a look at everyone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0030_child")]

    operations = [
        migrations.AddIndex(
            model_name="user",
            index=models.Index(fields=["id"], condition=models.Q(is_moderator=True), name="user_moderators"),
        ),
    ]
