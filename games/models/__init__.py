"""Tables and constraints; no use cases (those are `games.actions`)."""

from games.models.analysis.advice import Advice
from games.models.analysis.analysis import Analysis
from games.models.analysis.mistake import Mistake
from games.models.analysis.review import Review, ReviewPart
from games.models.analysis.study import Study
from games.models.analysis.study_comment import StudyComment
from games.models.analysis.study_editor import StudyEditor
from games.models.analysis.thought import Thought
from games.models.archives.archive import Archive, ArchivePart
from games.models.children.allowed_person import AllowedPerson
from games.models.circle.head_to_head import HeadToHead
from games.models.counters import BotRecord, Companion, ListVersion, OpeningRecord
from games.models.feed import Feed
from games.models.game import FEATURED_FROM, Game
from games.models.groups.channel import GroupChannel
from games.models.groups.group import Group, Membership
from games.models.groups.standing_table import StandingTable
from games.models.holidays.holiday import Holiday, HolidayBook
from games.models.lease import Lease
from games.models.moderation.appeal import Appeal
from games.models.moderation.decision import Decision
from games.models.moderation.player_report import PlayerReport
from games.models.move import Move
from games.models.note import Note
from games.models.notices.digest import DailyDigest
from games.models.notices.game_channel import ChannelPost, GameChannel
from games.models.notices.notice import Notice
from games.models.notices.notification import Delivery, Notification
from games.models.notices.push_subscription import PushSubscription
from games.models.notices.webhook_notice import WebhookNotice
from games.models.player import AWAY_AFTER, Player
from games.models.puzzles.puzzle import DailyPuzzle, PuzzleTry
from games.models.ratings.rating import PlayerRating, RatedFamily, RatedSeat
from games.models.reaction import Reaction
from games.models.receiver import Receiver
from games.models.relation import BlockedPerson, FollowedPerson, MutedPerson
from games.models.returning import Return
from games.models.seek import Seek
from games.models.table_change import TableChange
from games.models.takebacks.takeback import Takeback
from games.models.talk_message import TalkMessage
from games.models.tally import Tally, TallyKey
from games.values import (
    LONGEST_PAUSE,
    MAX_COMMENT,
    MAX_DECISION,
    MAX_MESSAGE,
    MAX_NOTE,
    MAX_REPORT,
    MAX_SHOWN,
    MOST_PAUSES,
    MOST_SPENT_NUMBERS,
    WATCHED,
    Access,
    Audience,
    Change,
    ChangeMade,
    GroupRole,
    Kind,
    Measure,
    Occasion,
    Occupant,
    PauseRequest,
    ReactionWord,
    Reason,
    RemovalReason,
    Reported,
    ReportReason,
    ReviewStatus,
    SeatResult,
    Status,
    TakebackRequest,
    TalkPhrase,
)

__all__ = [
    "AWAY_AFTER",
    "FEATURED_FROM",
    "LONGEST_PAUSE",
    "MAX_COMMENT",
    "MAX_DECISION",
    "MAX_MESSAGE",
    "MAX_NOTE",
    "MAX_REPORT",
    "MAX_SHOWN",
    "MOST_PAUSES",
    "MOST_SPENT_NUMBERS",
    "WATCHED",
    "Access",
    "Advice",
    "AllowedPerson",
    "Analysis",
    "Appeal",
    "Archive",
    "ArchivePart",
    "Audience",
    "BlockedPerson",
    "BotRecord",
    "Change",
    "ChangeMade",
    "ChannelPost",
    "Companion",
    "DailyDigest",
    "DailyPuzzle",
    "Decision",
    "Delivery",
    "Feed",
    "FollowedPerson",
    "Game",
    "GameChannel",
    "Group",
    "GroupChannel",
    "GroupRole",
    "HeadToHead",
    "Holiday",
    "HolidayBook",
    "Kind",
    "Lease",
    "ListVersion",
    "Measure",
    "Membership",
    "Mistake",
    "Move",
    "MutedPerson",
    "Note",
    "Notice",
    "Notification",
    "Occasion",
    "Occupant",
    "OpeningRecord",
    "PauseRequest",
    "Player",
    "PlayerRating",
    "PlayerReport",
    "PushSubscription",
    "PuzzleTry",
    "RatedFamily",
    "RatedSeat",
    "Reaction",
    "ReactionWord",
    "Reason",
    "Receiver",
    "RemovalReason",
    "ReportReason",
    "Reported",
    "Return",
    "Review",
    "ReviewPart",
    "ReviewStatus",
    "SeatResult",
    "Seek",
    "StandingTable",
    "Status",
    "Study",
    "StudyComment",
    "StudyEditor",
    "TableChange",
    "Takeback",
    "TakebackRequest",
    "TalkMessage",
    "TalkPhrase",
    "Tally",
    "TallyKey",
    "Thought",
    "WebhookNotice",
]
