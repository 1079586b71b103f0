"""The one table of who hears which event."""

from collections.abc import Callable
from typing import Any

from accounts.models import User
from accounts.signals import account_closing, sessions_ended
from games import events, tasks
from games.actions.close_account import retire_everywhere
from games.actions.delete_study import delete_studies
from games.bots import costs
from games.realtime import publish

#: In this order: open pages first, jobs after them.
HEARS: tuple[tuple[type[events.Event], Callable[[Any], None]], ...] = (
    (events.GameEvent, publish.tell),
    (events.GameStarted, tasks.hear_turn),
    (events.MovePlayed, tasks.hear_turn),
    (events.GameResumed, tasks.hear_turn),
    (events.StepAsked, tasks.hear_step),
    (events.AdviceAsked, tasks.hear_advice),
    (events.ReviewAsked, tasks.hear_review),
    (events.GameFinished, costs.tell),
)


def connect() -> None:
    """Subscribe every listener; called once when the app is ready, harmless if called again."""
    for kind, hear in HEARS:
        events.subscribe(kind, hear)
    account_closing.connect(_retire, dispatch_uid="games.wiring")
    sessions_ended.connect(_check_logins, dispatch_uid="games.wiring")


def _retire(user: User, **_signal: Any) -> None:
    retire_everywhere(user)
    delete_studies(user)


def _check_logins(user_id: int, **_signal: Any) -> None:
    # Whichever session it was: each socket of the person asks whether its own still holds.
    publish.check_logins(user_id)
