"""Webhooks of one's own: where programs of people are told what happens in their games."""

import django.db.models.deletion
import games.models.receiver
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("accounts", "0018_chat_by_tables"),
        ("games", "0036_bot_simulations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Receiver",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address", models.CharField(max_length=1000)),
                ("secret", models.CharField(default=games.models.receiver.new_signing_secret, max_length=60)),
                ("created_at", models.DateTimeField()),
                ("known", models.JSONField(default=dict)),
                ("version", models.BigIntegerField(default=0)),
                ("sending", models.JSONField(default=list)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("answer", models.PositiveSmallIntegerField(default=0)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("owner", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="receivers", to=settings.AUTH_USER_MODEL)),
                ("token", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="receivers", to="accounts.apitoken")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("owner", "address"), name="receiver_once")],
            },
        ),
    ]
