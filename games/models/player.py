"""A player: who sits, or may sit, in one seat of a game."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.game import Game, Reason


class Access(models.TextChoices):
    """Who may take an empty seat."""

    OPEN = "open", _("Anyone")
    LINK = "link", _("Whoever has the invitation link")
    NAMED = "named", _("The invited player")


class Player(models.Model):
    """One seat of one game: empty, or taken by a user or by a bot.

    `seat` counts from 0 as the rules count seats; its colours follow from the game's variant and chosen colours.
    `clock` is the time in whole seconds left when the seat's next turn begins; null means unlimited, as a bot's always
    is. A seat that retired keeps its user and its reason.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    access = models.CharField(max_length=5, choices=Access.choices, default=Access.OPEN)
    invitee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="invitations"
    )
    # The name of an engine in games.bots.registry, and the seed that makes its choices repeatable.
    bot = models.CharField(max_length=20, blank=True)
    bot_seed = models.BigIntegerField(default=0)
    joined_at = models.DateTimeField(null=True, blank=True)
    # When this player's pages last said that they look at this game: no turn e-mail goes to who is looking.
    seen_at = models.DateTimeField(null=True, blank=True)

    # Cache, rebuilt with the game's.
    clock = models.PositiveIntegerField(null=True, blank=True)
    retired = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    score = models.SmallIntegerField(null=True, blank=True)
    is_winner = models.BooleanField(default=False)

    class Meta:
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="player_one_a_seat"),
            models.UniqueConstraint(fields=["game", "user"], name="player_one_seat_a_user"),
            models.CheckConstraint(condition=models.Q(user=None) | models.Q(bot=""), name="player_user_or_bot"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"
