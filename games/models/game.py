"""A game: what was agreed at the table, and a cache of where its moves have led."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def new_slug() -> str:
    """Return ten random characters (50 bits) that are easy to read aloud."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def new_token() -> str:
    """Return the secret of an invitation link (132 bits)."""
    return secrets.token_urlsafe(16)


class Status(models.TextChoices):
    """Where a game stands."""

    OPEN = "open", _("Waiting for players")
    RUNNING = "running", _("Running")
    FINISHED = "finished", _("Finished")
    CANCELLED = "cancelled", _("Cancelled")


class Reason(models.TextChoices):
    """Why a game ended."""

    PLAYED_OUT = "played-out", _("Played out")
    TRAILING = "trailing", _("Passed with the lowest score")
    RESIGNED = "resigned", _("Resigned")
    OUT_OF_TIME = "out-of-time", _("Out of time")


class Game(models.Model):
    """One table and its game.

    The moves are the truth; the fields below "Cache" are rebuilt from them (`games.lifecycle`) and tests do so.
    `version` grows by one with every visible change. Times of the clock are whole seconds; all null means unlimited.
    """

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    invite_token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    name = models.CharField(max_length=40, blank=True)
    # The whole id, with the size and the seed that some families have: "codingame-2:13:42".
    variant = models.CharField(max_length=40)
    # One of the variant's ways of scoring.
    scoring = models.CharField(max_length=10, default="penalty")
    # The colours chosen at creation, in seat order (three-player games); empty where the variant fixes them.
    colours = models.JSONField(default=list, blank=True)
    is_public = models.BooleanField(default=True)
    # False: blocked colours pass by themselves, visibly. True: their player presses Pass.
    declares_passes = models.BooleanField(default=False)
    # Whether the board may show its players where pieces fit.
    allows_hints = models.BooleanField(default=True)
    is_shuffled = models.BooleanField(default=True)
    # Bots wait until whoever opened the table lets them go on (games of bots only).
    is_paused = models.BooleanField(default=False)
    time_initial = models.PositiveIntegerField(null=True, blank=True)
    time_increment = models.PositiveIntegerField(null=True, blank=True)
    time_cap = models.PositiveIntegerField(null=True, blank=True)
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="created_games")
    rematch_of = models.OneToOneField("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch")

    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(db_index=True)

    # Cache.
    move_count = models.PositiveSmallIntegerField(default=0)
    # One character a cell, a1 first, row by row from the bottom: "." free, else the colour's index in the variant.
    board = models.TextField(blank=True)
    turn_colour = models.CharField(max_length=10, blank=True)
    turn_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    turn_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=12, choices=Reason.choices, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["status", "is_public", "-created_at"], name="game_lobby"),
            models.Index(fields=["status", "-finished_at"], name="game_history"),
            models.Index(fields=["status", "turn_since"], name="game_sweep"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(time_initial=None, time_increment=None, time_cap=None)
                # A comparison with null is not false, and a check refuses only what is false.
                | models.Q(time_initial__isnull=False, time_increment__isnull=False, time_cap__isnull=False)
                & models.Q(time_initial__gt=0, time_increment__gte=0, time_cap__gt=0),
                name="game_clock_whole_or_absent",
            ),
            models.CheckConstraint(
                condition=models.Q(status="running") ^ models.Q(turn_colour="", turn_seat=None, turn_since=None),
                name="game_turn_while_running_only",
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.slug
