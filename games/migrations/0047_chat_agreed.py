"""Who at a table has agreed to what its chat is posted; of chats from before no one but their owner."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0046_review_part"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="agreed",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]
