"""Tables and constraints; no use cases (those are `games.actions`)."""

from games.models.advice import Advice
from games.models.counters import BotRecord, Companion, ListVersion, OpeningRecord
from games.models.digest import DailyDigest
from games.models.feed import Feed
from games.models.game import FEATURED_FROM, LONGEST_PAUSE, MOST_PAUSES, Game, PauseRequest, Reason, Status
from games.models.lease import Lease
from games.models.move import Kind, Move
from games.models.note import MAX_NOTE, Note
from games.models.notice import Notice
from games.models.notification import Delivery, Notification, Occasion
from games.models.player import AWAY_AFTER, Access, Occupant, Player, SeatResult
from games.models.push_subscription import PushSubscription
from games.models.receiver import Receiver
from games.models.returning import Return
from games.models.review import Review, ReviewStatus
from games.models.study import Study
from games.models.table_change import Change, ChangeMade, RemovalReason, TableChange
from games.models.tally import WATCHED, Tally, TallyKey
from games.models.thought import Thought
from games.models.webhook import Webhook, WebhookPost

__all__ = [
    "AWAY_AFTER",
    "FEATURED_FROM",
    "LONGEST_PAUSE",
    "MAX_NOTE",
    "MOST_PAUSES",
    "WATCHED",
    "Access",
    "Advice",
    "BotRecord",
    "Change",
    "ChangeMade",
    "Companion",
    "DailyDigest",
    "Delivery",
    "Feed",
    "Game",
    "Kind",
    "Lease",
    "ListVersion",
    "Move",
    "Note",
    "Notice",
    "Notification",
    "Occasion",
    "Occupant",
    "OpeningRecord",
    "PauseRequest",
    "Player",
    "PushSubscription",
    "Reason",
    "Receiver",
    "RemovalReason",
    "Return",
    "Review",
    "ReviewStatus",
    "SeatResult",
    "Status",
    "Study",
    "TableChange",
    "Tally",
    "TallyKey",
    "Thought",
    "Webhook",
    "WebhookPost",
]
