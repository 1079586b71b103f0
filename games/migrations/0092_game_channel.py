"""A table's webhook becomes its channel in Django's eyes alone: the release before runs on these tables for a while."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0091_seek"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("webhookpost", "webhook_post_once"),
                migrations.AlterModelTable("webhook", "games_webhook"),
                migrations.AlterModelTable("webhookpost", "games_webhookpost"),
                migrations.RenameModel("Webhook", "GameChannel"),
                migrations.RenameModel("WebhookPost", "ChannelPost"),
                migrations.AlterField(
                    "gamechannel",
                    "channel",
                    models.ForeignKey(
                        blank=True,
                        db_column="channel_id",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="game_channels",
                        to="games.groupchannel",
                    ),
                ),
                migrations.RenameField("gamechannel", "channel", "group_channel"),
                migrations.AlterField(
                    "gamechannel",
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="channel", to="games.game"
                    ),
                ),
                migrations.AlterField(
                    "gamechannel",
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="game_channels",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField(
                    "channelpost",
                    "webhook",
                    models.ForeignKey(
                        db_column="webhook_id",
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="posts",
                        to="games.gamechannel",
                    ),
                ),
                migrations.RenameField("channelpost", "webhook", "channel"),
                migrations.AddConstraint(
                    "channelpost",
                    models.UniqueConstraint(fields=("channel", "occasion", "event"), name="webhook_post_once"),
                ),
            ]
        ),
    ]
