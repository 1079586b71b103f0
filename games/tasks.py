"""The background jobs by name, and which events ask for them.

Jobs are thin and may run late, twice or never: they name a game and a move, and what they call looks first whether that
move is still due. The sweep (`games.sweep`) asks again for what was lost.
"""

from datetime import timedelta

from django.utils import timezone
from django_tasks import task

from games.bots.turns import play_turn
from games.events import GameStarted, MovePlayed
from games.notifications import turn_email
from games.queries.turns import new_turn

#: How long a turn e-mail waits: whoever opens the page, or answers, in that time needs none.
GRACE = timedelta(seconds=20)


@task(queue_name="bots")
def play_bot_turn(game_id: int, number: int) -> bool:
    """Play the bot's move of that number, if it is still due."""
    return play_turn(game_id, number)


@task()
def send_turn_email(player_id: int, number: int) -> bool:
    """Tell the player that this move is theirs, unless they know or it no longer is."""
    return turn_email.deliver(player_id, number, now=timezone.now())


def hear_turn(event: GameStarted | MovePlayed) -> None:
    """Ask for what a new turn needs: a bot's move, or an e-mail to a person. One query, one insert."""
    turn = new_turn(event.game_id)
    if turn is None:
        return
    if turn.bot:
        play_bot_turn.enqueue(event.game_id, turn.number)
    elif turn.email:
        send_turn_email.using(run_after=timezone.now() + GRACE).enqueue(turn.player_id, turn.number)
