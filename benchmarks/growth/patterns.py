"""Games of every kind, played once by the site's own actions, as rows that `benchmarks.growth.crowd` copies."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

from django.db import transaction
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base import positions
from games.base.access import Actor, BotSeat
from games.base.setup import GameSetup, SeatSetup
from games.clock import TimeControl
from games.management.demo import WRITTEN_DOWN
from games.models import Game, Notice
from games.queries.tables.turns import next_number
from games.rules.placement import table_for
from games.rules.record import PASSED

#: The bot that sits in most games with bots.
COMMON_BOT = "greedy"

#: From one turn of a recorded game to the next, and how long before the recording it began.
TURN, AGE = timedelta(minutes=7), timedelta(days=2)
PEOPLE = 4

_keys = count()


@dataclass(frozen=True)
class Pattern:
    """A recorded game: its rows, the game's first, and the keys of its people, the creator's first.

    Copies are dated by `moment`: when it ended, when the turn that is due began, or when the table was opened.
    """

    people: tuple[int, ...]
    moment: datetime
    rows: Sequence[Model]


@dataclass(frozen=True)
class Play:
    """How a game is played: who takes the other seats, how many turns by chance, and who then resigns.

    A seat is `person`, `open`, `link`, `named`, or else a bot's name. A `watched` game is one of bots alone.
    """

    variant: str
    seats: tuple[str, ...]
    turns: int = 0
    resign: tuple[int, ...] = ()
    is_watched: bool = False
    is_public: bool = True
    days: int | None = None
    texts: tuple[str, ...] = ()


#: The first turns of many games: the first seat follows the Barasona opening for three of its pieces.
OPENED = (
    *("F:a1,b1,b2,c2,b3", "1:t1", "1:a20", "1:t20"),
    *("X:d3,c4,d4,e4,d5", "2:r2,s2", "2:b18,b19", "2:s18,s19"),
    "W:f5,g5,e6,f6,e7",
)

#: Every kind of game; how often each is copied says `benchmarks.growth.crowd`.
PLAYS: Mapping[str, tuple[Play, ...]] = {
    "finished": (
        Play("blockyou-2", (COMMON_BOT,), texts=OPENED, resign=(0,)),
        Play("blockyou-2", ("person",), texts=OPENED, resign=(1,), days=3),
        Play("blockyou-2", ("person",), turns=6, resign=(0,), days=3),
        Play("blockyou-2", (COMMON_BOT,), turns=5, resign=(0,), is_public=False),
        Play("blockyou-4", ("person",) * 3, turns=5, resign=(1, 2, 3), days=1),
        Play("duo", ("person",), turns=5, resign=(1,), is_public=False),
        Play("blockyou-2", ("random",), turns=3, resign=(0,)),
        Play("duo", ("sage-5",), turns=4, resign=(0,)),
        Play("blockyou-3", ("person", COMMON_BOT), turns=4, resign=(0, 1), days=5),
    ),
    "long": (
        Play("duo", ("person",), turns=200),
        Play("blockyou-4", ("person",) * 3, texts=tuple(WRITTEN_DOWN["Dead heat"])),
    ),
    "rated": (Play("blockyou-2", ("person",), turns=6, resign=(0,), days=3),),
    "watched": (Play("duo", (COMMON_BOT, "mason-3"), turns=200, is_watched=True),),
    "mine": (
        Play("blockyou-2", ("person",), turns=4, days=3),
        Play("blockyou-2", (COMMON_BOT,), turns=6),
        Play("duo", ("person",), turns=8, days=7, is_public=False),
    ),
    "theirs": (
        Play("blockyou-2", ("person",), turns=5, days=3),
        Play("blockyou-4", ("person",) * 3, turns=6, days=7),
    ),
    # Of two people the other one is to move: what is planned then is planned for the next turn.
    "waiting": (Play("blockyou-2", ("person",), turns=5, days=3),),
    "open": (
        Play("blockyou-2", ("open",)),
        Play("blockyou-4", ("open", "open", COMMON_BOT)),
        Play("blockyou-2", ("link",), is_public=False),
        Play("blockyou-3", ("named", "open")),
    ),
    "table": (Play("blockyou-2", ("open",)),),
    "cancelled": (Play("blockyou-2", ("open",)), Play("duo", ("named",))),
}
#: The kinds of tables that wait for players.
OPEN = ("open", "table")


def record_patterns() -> dict[str, tuple[Pattern, ...]]:
    """Return every kind of game, played in a transaction that is undone: the database stays as it was."""
    with transaction.atomic():
        people = [User.objects.create_user(f"pattern{number}") for number in range(PEOPLE)]
        found = {kind: tuple(_record(kind, play, people) for play in plays) for kind, plays in PLAYS.items()}
        transaction.set_rollback(True)
    return found


def _record(kind: str, play: Play, people: Sequence[User]) -> Pattern:
    start = timezone.now() - AGE
    game = _opened(play, people, start)
    if kind == "cancelled":
        cancel_game(people[0], game.slug)
    elif kind not in OPEN:
        _play_on(game, play, people, start)
    pattern = _pattern(Game.objects.get(pk=game.pk), people)
    if kind in OPEN:
        # Its rows are kept; the lobby lists only a few tables of one person at a time.
        cancel_game(people[0], game.slug)
    return pattern


def _opened(play: Play, people: Sequence[User], start: datetime) -> Game:
    words = play.seats if play.is_watched else ("me", *play.seats)
    seats = tuple(_seat(word, people[-1]) for word in words)
    time = TimeControl() if play.days is None else TimeControl.days_a_move(play.days)
    setup = GameSetup(variant=play.variant, seats=seats, time=time, is_public=play.is_public, is_shuffled=False)
    game = create_game(people[0], setup, now=start)
    for user in people[1 : 1 + play.seats.count("person")]:
        game = join_game(user, game.slug, token=game.invite_token, now=start)
    return game


def _seat(word: str, invited: User) -> SeatSetup:
    if word == "me":
        return SeatSetup(kind="me")
    if word == "named":
        return SeatSetup(kind="named", username=invited.username)
    if word in ("person", "open"):
        return SeatSetup(kind="open")
    return SeatSetup(kind="link") if word == "link" else SeatSetup(kind="bot", bot=word, seed=7)


def _play_on(game: Game, play: Play, people: Sequence[User], start: datetime) -> None:
    """Play the turns and let people resign; a person whose turn is due then has been sent a notice."""
    rng, now = random.Random(4), start
    actors = [player.user or BotSeat(game.pk, player.seat) for player in game.players.order_by("seat")]
    for number in range(len(play.texts) or play.turns):
        game = Game.objects.get(pk=game.pk)
        if game.turn_seat is None:
            break
        now += TURN
        _turn(game, actors[game.turn_seat], play.texts[number] if play.texts else _choice(game, rng), now)
    for number in play.resign:
        resign(people[number], game.slug, now=now + TURN)
    game = Game.objects.get(pk=game.pk)
    due = next((player for player in game.players.all() if player.seat == game.turn_seat), None)
    if due and due.user:
        Notice.objects.create(player=due, number=next_number(game), created_at=now, claimed_at=now, sent_at=now)


#: A moment that no measurement reaches.
LATER = datetime(2100, 1, 1, tzinfo=UTC)


def _choice(game: Game, rng: random.Random) -> str:
    position = positions.position_of(game)
    if not position.has_legal():
        return PASSED
    return str(table_for(position.variant).placement(position.nth_legal_id(rng.randrange(position.legal_count()))))


def _turn(game: Game, actor: Actor, text: str, now: datetime) -> None:
    number, key = next_number(game), f"pattern-{next(_keys):06}"
    if text == PASSED:
        pass_turn(actor, game.slug, number=number, key=key, now=now)
    else:
        play_placement(actor, game.slug, placement=text, number=number, key=key, now=now)


def _pattern(game: Game, people: Sequence[User]) -> Pattern:
    if game.deadline is not None:
        # No one is late: ending turns is work that is done once, and grows with what is due.
        game.deadline = game.remind_at = LATER
    players = list(game.players.order_by("seat"))
    moves = list(game.moves.order_by("number"))
    notices = list(Notice.objects.filter(player__game=game))
    present = {game.creator_id, *(pk for player in players for pk in (player.user_id, player.invitee_id))}
    known = tuple(user.pk for user in people if user.pk in present)
    return Pattern(known, game.finished_at or game.turn_since or game.changed_at, [game, *players, *moves, *notices])
