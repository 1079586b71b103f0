"""What a notification says: a line to begin with, which is a mail's subject too, and a sentence below it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from games.values import Occasion, Reason, SeatResult
from games.words import deadlines, table_changes
from games.words.clocks import clock_text
from games.words.names import game_title, variant_name

if TYPE_CHECKING:
    from games.models import Game, Notification


#: The zone in which moments are written to a reader who has none.
UNKNOWN_ZONE = "UTC"


@dataclass(frozen=True)
class NoticeWords:
    """What one occasion says. `title`, `board`, `other` and `until` may stand in both; `kind` names its switch."""

    kind: str
    subject: Promise
    line: Promise | str = ""


#: A line an occasion. The switches by their kinds: `games.notifications.kinds`.
WORDS: Mapping[str, NoticeWords] = {
    Occasion.TURN: NoticeWords("turn", _("Your turn: %(title)s"), _("It is your turn.")),
    Occasion.DEADLINE: NoticeWords("deadline", _("Your time is running out: %(title)s"), "%(until)s"),
    Occasion.STARTED: NoticeWords("started", _("Game started: %(title)s"), _("Every seat is taken.")),
    Occasion.OVER: NoticeWords("over", _("Game over: %(title)s")),
    Occasion.MISSED: NoticeWords(
        "missed", _("A bot played a turn for you: %(title)s"), _("Your time ran out. You play the next turn yourself.")
    ),
    Occasion.AWAY: NoticeWords(
        "missed",
        _("A bot is playing for you: %(title)s"),
        _("You missed two turns in a row, so a bot is playing for you. You can come back at any time before the end."),
    ),
    Occasion.PAUSE: NoticeWords(
        "pause", _("%(other)s asks for a pause: %(title)s"), _("Agree, decline, or simply go on playing.")
    ),
    Occasion.PAUSED: NoticeWords(
        "pause", _("The game is paused: %(title)s"), _("All clocks stand still. Any of you can end the pause.")
    ),
    Occasion.RESUMED: NoticeWords("pause", _("The pause is over: %(title)s"), _("The clocks are running again.")),
    Occasion.DAY_GIVEN: NoticeWords("day", _("%(other)s gave you a day: %(title)s"), "%(until)s"),
    Occasion.HOLIDAY: NoticeWords(
        "deadline",
        _("A day of your holidays was taken: %(title)s"),
        _("Your time had run out. %(until)s"),
    ),
    Occasion.TAKEBACK: NoticeWords(
        "takeback",
        _("%(other)s asks to take a move back: %(title)s"),
        _("Agree, decline, or simply go on playing."),
    ),
    Occasion.TAKEN_BACK: NoticeWords(
        "takeback",
        _("%(other)s took a move back: %(title)s"),
        _("Look at the board: it is as it was before that move."),
    ),
    Occasion.INVITED: NoticeWords(
        "invited", _("%(other)s invites you to play"), _("A seat is kept for you: %(board)s.")
    ),
    Occasion.REMATCH: NoticeWords(
        "rematch", _("%(other)s offers you a rematch"), _("A seat is kept for you: %(board)s.")
    ),
    Occasion.GROUP_TABLE: NoticeWords(
        "group", _("%(other)s opened a table for your group"), _("A seat is free: %(board)s.")
    ),
    Occasion.JOINED: NoticeWords("table", _("%(other)s joined your table"), "%(title)s"),
    Occasion.LEFT: NoticeWords("table", _("%(other)s left your table"), "%(title)s"),
    Occasion.DECLINED: NoticeWords("table", _("%(other)s declined an invitation to your table"), "%(title)s"),
    Occasion.REMOVED: NoticeWords("invited", _("%(other)s removed you from a table: %(board)s")),
    Occasion.CANCELLED: NoticeWords("table", _("Table cancelled: %(title)s")),
    Occasion.CHANNEL_STOPPED: NoticeWords(
        "chat",
        _("Your channel accepts no messages: %(title)s"),
        _("Nothing is posted there any more. Set another address."),
    ),
    Occasion.POSTING: NoticeWords(
        "posting",
        _("%(other)s wants to post this game to a channel: %(title)s"),
        _("Nothing is posted unless all of you agree. You can say no."),
    ),
}

RESULTS: Mapping[str, Promise] = {
    SeatResult.WON: _("You won."),
    SeatResult.TIED: _("You share first place."),
    SeatResult.LOST: _("You did not win this time."),
}


def notice_words(notification: "Notification") -> tuple[str, str]:
    """Return the subject and the sentence of a notification (no query with the game's players, users and invitees)."""
    game, words = notification.game, WORDS[notification.occasion]
    values = {
        "title": game_title(game, notification.user_id),
        "other": notification.other.shown_name if notification.other else pgettext("someone at the table", "A player"),
        "board": game.name or variant_name(game.variant),
        "until": until_text(game),
    }
    # Not split(): it takes no-break spaces away.
    subject = " ".join((str(_subject(notification, words)) % values).splitlines())
    return subject, _line(notification, words) % values


def _subject(notification: "Notification", words: NoticeWords) -> Promise:
    """Return the subject: a group's own table opens by itself, in the name of the owner, who did not do it.

    Nor does a player ask where the channel is that of a group.
    """
    if notification.occasion == Occasion.POSTING and notification.other_id is None:
        return _("Your group wants to post this game to a channel: %(title)s")
    is_own = notification.occasion == Occasion.GROUP_TABLE and notification.other_id == notification.user_id
    return _("A table is open for your group") if is_own else words.subject


def _line(notification: "Notification", words: NoticeWords) -> str:
    game = notification.game
    if notification.occasion == Occasion.OVER:
        return str(RESULTS.get(_result(notification), ""))
    if notification.occasion == Occasion.CANCELLED:
        if game.reason == Reason.EXPIRED:
            return gettext("Not enough players joined.")
        return gettext("%(other)s cancelled it before it started.")
    if notification.occasion == Occasion.REMOVED:
        return table_changes.reason_text(notification.detail)
    if notification.occasion == Occasion.DEADLINE and game.deadline is None:
        return ""
    if notification.occasion in (Occasion.DAY_GIVEN, Occasion.HOLIDAY) and game.turn_user_id != notification.user_id:
        return ""
    if notification.occasion == Occasion.TURN and notification.event == 1:
        return gettext("Every seat is taken, and you begin.")
    return str(words.line)


def _result(notification: "Notification") -> str:
    """Return the person's result, empty where they have no seat."""
    players = notification.game.players.all()
    return next((player.result for player in players if player.user_id == notification.user_id), "")


def deadline_text(game: "Game") -> str:
    """Return until when the player may move, in the reader's time zone, which it names; empty without a deadline."""
    return deadlines.exact(game.deadline)


def until_text(game: "Game") -> str:
    """Return the same as a sentence.

    Where the reader's zone is not known it begins with how long that is from now, and says the hour, which is that of
    UTC, only where it matters.
    """
    moment, now = deadlines.exact(game.deadline), timezone.now()
    if game.deadline is None:
        return ""
    if timezone.get_current_timezone_name() != UNKNOWN_ZONE or game.deadline <= now:
        return gettext("You have until %(moment)s.") % {"moment": moment}
    left = deadlines.time_left(game.deadline, now)
    if day := deadlines.last_safe_day(game.deadline, now):
        return gettext("%(left)s, %(until)s.") % {"left": left, "until": deadlines.until_day(day, now)}
    return gettext("%(left)s: you have until %(moment)s.") % {"left": left, "moment": moment}


def left_text(deadline: datetime, now: datetime) -> str:
    """Return how long there is until a deadline and when that is, in a line of a list, as `until_text` does."""
    left = clock_text(int((deadline - now).total_seconds()))
    if timezone.get_current_timezone_name() == UNKNOWN_ZONE and (day := deadlines.last_safe_day(deadline, now)):
        values = {"left": deadlines.time_left(deadline, now), "until": deadlines.until_day(day, now)}
        return gettext("%(left)s, %(until)s") % values
    return gettext("%(left)s left, until %(moment)s") % {"left": left, "moment": deadlines.exact(deadline)}
