"""The one table of which functions are called for which event."""

from collections.abc import Callable
from typing import Any

from accounts.models import User
from accounts.signals import (
    account_closing,
    account_leaving,
    confirmation_asked,
    grown_up,
    mail_posted,
    programs_ending,
    quiet_hours_changed,
    renamed,
    renaming,
    reset_asked,
    session_moved,
    sessions_ended,
    tokens_ended,
    writers_changed,
)
from games import events, tasks
from games.actions.children.forget_people import forget_people
from games.actions.notices.add_webhook import forget_webhooks
from games.actions.notices.forget_device import follow_login, forget_ended_logins
from games.actions.notices.keep_quiet_hours import keep_quiet_hours
from games.actions.notices.set_game_channel import forget_game_channels
from games.actions.people.close_account import leave_what_waits, retire_everywhere
from games.actions.people.show_new_name import show_new_name
from games.actions.talk.forget_unwanted import forget_unwanted
from games.base import counters
from games.bots import costs
from games.notifications.decisions import write_of_decisions, write_of_refused_appeal
from games.notifications.new_webhooks import write_of_new_webhook
from games.realtime import publish

#: What may be news for programs that hear of a person's games by a webhook. A game ends with a move, or is cancelled.
CHANGES = (
    events.GameCreated,
    events.SeatsChanged,
    events.GameStarted,
    events.MovePlayed,
    events.MovesTakenBack,
    events.GameResumed,
    events.GameCancelled,
)

#: In this order: open pages first, jobs after them.
SUBSCRIBERS: tuple[tuple[type[events.Event], Callable[[Any], None]], ...] = (
    (events.GameEvent, publish.tell),
    (events.TurnEvent, tasks.on_turn),
    (events.StepAsked, tasks.on_step_asked),
    (events.AdviceAsked, tasks.on_advice_asked),
    (events.ReviewAsked, tasks.on_review_asked),
    (events.ArchiveAsked, tasks.on_archive_asked),
    (events.GameFinished, costs.log_costs),
    (events.NoticesListed, publish.tell_lists),
    (events.NoticesRecorded, tasks.on_notices),
    (events.PostsRecorded, tasks.on_posts),
    (events.StandingTableDue, tasks.on_standing_table_due),
    (events.SeekDue, tasks.on_seek_due),
    (events.SideDue, tasks.on_side_due),
    (events.GameCreated, tasks.on_table_opened),
    *((kind, tasks.on_seats_free) for kind in (events.GameStarted, events.GameFinished, events.GameCancelled)),
    (events.WebhookAdded, write_of_new_webhook),
    (events.DecisionsMade, write_of_decisions),
    (events.AppealRefused, write_of_refused_appeal),
    *((kind, tasks.on_change) for kind in CHANGES),
)


def connect() -> None:
    """Subscribe every listener; called once when the app is ready, harmless if called again."""
    for kind, handler in SUBSCRIBERS:
        events.subscribe(kind, handler)
    account_leaving.connect(_leave, dispatch_uid="games.wiring")
    account_closing.connect(_retire, dispatch_uid="games.wiring")
    grown_up.connect(_forget_people, dispatch_uid="games.wiring")
    # Two listeners: if the pages cannot be reached, the devices are forgotten all the same.
    sessions_ended.connect(_check_logins, dispatch_uid="games.wiring")
    sessions_ended.connect(_forget_devices, dispatch_uid="games.wiring.devices")
    tokens_ended.connect(_check_logins, dispatch_uid="games.wiring")
    programs_ending.connect(_forget_webhooks, dispatch_uid="games.wiring")
    session_moved.connect(_follow_login, dispatch_uid="games.wiring")
    renaming.connect(_rename_companion, dispatch_uid="games.wiring")
    renamed.connect(_show_name, dispatch_uid="games.wiring")
    writers_changed.connect(_forget_unwanted, dispatch_uid="games.wiring")
    quiet_hours_changed.connect(_keep_quiet_hours, dispatch_uid="games.wiring")
    mail_posted.connect(_have_sent, dispatch_uid="games.wiring")
    reset_asked.connect(_have_answered, dispatch_uid="games.wiring")
    confirmation_asked.connect(_have_confirmed, dispatch_uid="games.wiring")


def _leave(user: User, **_signal: Any) -> None:
    leave_what_waits(user)


def _retire(user: User, **_signal: Any) -> None:
    retire_everywhere(user)
    forget_game_channels(user)


def _forget_people(user: User, **_signal: Any) -> None:
    forget_people(user)


def _check_logins(user_id: int, **_signal: Any) -> None:
    # Whichever session or token it was: each socket and stream of the person asks whether its own still holds.
    publish.check_logins(user_id)


def _forget_devices(user_id: int, **_signal: Any) -> None:
    forget_ended_logins(user_id)


def _forget_webhooks(user_id: int, **_signal: Any) -> None:
    forget_webhooks(user_id)


def _follow_login(before: str, after: str, **_signal: Any) -> None:
    follow_login(before, after)


def _rename_companion(user_id: int, name_key: str, **_signal: Any) -> None:
    counters.rename_companion(user_id, name_key)


def _show_name(user_id: int, **_signal: Any) -> None:
    show_new_name(user_id)


def _keep_quiet_hours(user_id: int, **_signal: Any) -> None:
    keep_quiet_hours(user_id)


def _forget_unwanted(user: User, before: str, **_signal: Any) -> None:
    forget_unwanted(user, before)


def _have_sent(mail_id: int, **_signal: Any) -> None:
    tasks.MAILS.ask(mail_id)


def _have_answered(request_id: int, **_signal: Any) -> None:
    tasks.RESETS.ask(request_id)


def _have_confirmed(request_id: int, **_signal: Any) -> None:
    tasks.CONFIRMATIONS.ask(request_id)
