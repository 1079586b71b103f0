"""The background jobs by name, and which events ask for them.

Jobs are thin and may run late, twice or never: they name a game and a move, and what they call looks first whether that
move is still due. The sweep (`games.sweep`) asks again for what was lost.

Long thinks wait in a queue of their own, so that nobody else's game waits behind them (`blockyou.worker`).
"""

from datetime import timedelta

from django.conf import settings
from django.utils import timezone
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from games.bots import adviser, reviewer
from games.bots.registry import engines
from games.bots.turns import TRUSTED_TRIES, play_turn
from games.events import AdviceAsked, GameResumed, GameStarted, MovePlayed, ReviewAsked, StepAsked
from games.notifications import turn_email
from games.queries.turns import new_turn

#: How long a turn e-mail waits: whoever opens the page, or answers, in that time needs none.
GRACE = timedelta(seconds=20)

#: Where the turns of quick bots wait, and those of slow ones.
BOTS, THINKERS = "bots", "thinkers"

#: Whoever has asked for advice waits for it: up to so many games in thought it is among the quick.
QUICK_HINT = 2000

#: Reviews are the last of the long jobs: nobody's turn waits for them.
LAST = -50


@task(queue_name=BOTS)
def play_bot_turn(game_id: int, number: int, tries: int = 0) -> bool:
    """Play the bot's move of that number, if it is still due; `tries` have failed."""
    return play_turn(game_id, number, tries=tries)


@task(queue_name=BOTS)
def step_bot_turn(game_id: int, number: int, tries: int = 0) -> bool:
    """Play the bot's move of that number in a paused game, if it is still due; `tries` have failed."""
    return play_turn(game_id, number, tries=tries, is_step=True)


def ask_bot(game_id: int, number: int, bot: str, tries: int = 0) -> None:
    """Ask for the bot's move of that number. One insert."""
    again = [tries] if tries else []
    play_bot_turn.using(queue_name=queue_of(bot, tries)).enqueue(game_id, number, *again)


def ask_step(game_id: int, number: int, bot: str) -> None:
    """Ask for the bot's move of that number in a paused game. One query, one insert; whoever watches asks again."""
    same = {"args_kwargs__args__0": game_id, "args_kwargs__args__1": number}
    steps = DBTaskResult.objects.filter(task_path=step_bot_turn.module_path, **same)
    tries = steps.filter(status=TaskResultStatus.FAILED).count()
    again = [tries] if tries else []
    step_bot_turn.using(queue_name=queue_of(bot, tries)).enqueue(game_id, number, *again)


def queue_of(bot: str, tries: int = 0) -> str:
    """Return the queue in which the bot's turns wait. One that has failed too often is not asked, which is quick."""
    kind = engines().get(bot)
    return THINKERS if kind is not None and kind.is_slow and tries < TRUSTED_TRIES else BOTS


@task(queue_name=BOTS)
def advise(player_id: int, number: int) -> bool:
    """Find good placements for the player's move of that number, if somebody still waits for them."""
    return adviser.advise(player_id, number)


@task(queue_name=THINKERS, priority=LAST)
def go_on_reviewing(review_id: int, done: int) -> bool:
    """Judge the next few positions of a review of which so much is done, and ask for those after them."""
    now_done = reviewer.go_on(review_id, done)
    if now_done is not None:
        ask_review(review_id, now_done)
    return now_done is not None


def ask_review(review_id: int, done: int) -> None:
    """Ask for what follows in a review of which so much is done. One insert."""
    go_on_reviewing.enqueue(review_id, done)


@task()
def send_turn_email(player_id: int, number: int) -> bool:
    """Tell the player that this move is theirs, unless they know or it no longer is."""
    return turn_email.deliver(player_id, number, now=timezone.now())


def hear_turn(event: GameStarted | MovePlayed | GameResumed) -> None:
    """Ask for what a new turn needs: a bot's move, or an e-mail to a person. One query, one insert."""
    turn = new_turn(event.game_id)
    if turn is None:
        return
    if turn.bot:
        ask_bot(event.game_id, turn.number, turn.bot)
    elif turn.email:
        send_turn_email.using(run_after=timezone.now() + GRACE).enqueue(turn.player_id, turn.number)


def hear_step(event: StepAsked) -> None:
    """Ask for the one move that somebody wants of a paused game. One query, one insert."""
    ask_step(event.game_id, event.number, event.bot)


def hear_advice(event: AdviceAsked) -> None:
    """Ask for good placements. One insert; whoever waits asks again if it is lost."""
    queue = BOTS if settings.HINT_SIMULATIONS <= QUICK_HINT else THINKERS
    advise.using(queue_name=queue).enqueue(event.player_id, event.number)


def hear_review(event: ReviewAsked) -> None:
    """Ask for the first positions of a review, or those at which it was broken off. One insert."""
    ask_review(event.review_id, event.done)
