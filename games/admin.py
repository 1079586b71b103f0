"""Games, as the host sees them: moves are the truth and games change by actions, so that nothing is edited here."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.lookonly import LookOnly, LookOnlyAdmin
from games.base.terms import PLAIN_TERMS, TIME_COLUMNS
from games.models import Delivery, Game, Lease, Move, Notice, Notification, Player


class PlayerRows(LookOnly, admin.TabularInline[Any, Any]):
    """The seats of a game."""

    model = Player
    fields = (
        *("seat", "user", "bot", "access", "joined_at", "seen_at"),
        *("clock", "missed", "retired", "score", "is_winner"),
    )
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the seats with who sits there."""
        return super().get_queryset(request).select_related("user")


class MoveRows(LookOnly, admin.TabularInline[Any, Any]):
    """The moves of a game."""

    model = Move
    fields = ("number", "kind", "seat", "colour", "placement", "is_automatic", "bot", "retired", "played_at")
    extra = 0


class GameAdmin(LookOnlyAdmin):
    """Games, found by the last part of their address. The token of the invitation is shown nowhere."""

    list_display = ("slug", "variant", "status", "creator", "move_count", "created_at", "changed_at")
    list_select_related = ("creator",)
    list_filter = ("status",)
    search_fields = ("slug__exact",)
    inlines = (PlayerRows, MoveRows)
    fields = (
        *("slug", "variant", "colours", "creator"),
        *(*PLAIN_TERMS, *TIME_COLUMNS),
        *("status", "reason", "version", "move_count"),
        *("turn_colour", "turn_seat", "turn_since", "deadline", "created_at", "started_at", "finished_at"),
    )


class LeaseAdmin(LookOnlyAdmin):
    """Which process sweeps."""

    list_display = ("name", "holder", "until")


class NoticeAdmin(LookOnlyAdmin):
    """Messages that a turn had begun, of the release before: sent or not."""

    list_display = ("player", "number", "created_at", "claimed_at", "attempts", "sent_at", "is_skipped")
    list_select_related = ("player",)


class NotificationAdmin(LookOnlyAdmin):
    """What people are notified of: announced or not, read or not."""

    list_display = ("user", "game", "occasion", "event", "created_at", "is_due", "is_listed", "read_at")
    list_select_related = ("user", "game")


class DeliveryAdmin(LookOnlyAdmin):
    """Messages about games by each channel outside the pages: due, sent or dropped."""

    list_display = ("notification", "channel", "due_at", "tries", "sent_at")
    list_select_related = ("notification",)


#: Every table, and how it is shown.
PLAY: tuple[tuple[type[Model], type[LookOnlyAdmin]], ...] = (
    (Game, GameAdmin),
    (Lease, LeaseAdmin),
    (Notice, NoticeAdmin),
    (Notification, NotificationAdmin),
    (Delivery, DeliveryAdmin),
)
