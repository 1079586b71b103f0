"""Tables to test at, set by the same actions that the site uses."""

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from games import events
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.audit import checks as audit
from games.audit import counts
from games.base import access, positions
from games.base.access import Actor, BotSeat
from games.base.setup import GameSetup, SeatSetup
from games.models import Game, Move, Player, Tally
from games.queries.tables.turns import next_number
from games.rules import Placement, Position
from games.rules.placement import table_for
from games.table import changes, lifecycle
from games.table.lifecycle import Outcome

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ME = SeatSetup(kind="me")
OPEN = SeatSetup(kind="open")
LINK = SeatSetup(kind="link")

_keys = itertools.count()


def key() -> str:
    """Return a client key that no request had before."""
    return f"test-key-{next(_keys):06}"


def invited(name: str) -> SeatSetup:
    return SeatSetup(kind="named", username=name)


def bot(name: str = "random", seed: int = 1) -> SeatSetup:
    return SeatSetup(kind="bot", bot=name, seed=seed)


def setup(*seats: SeatSetup, **settings: Any) -> GameSetup:
    """Return a setup for as many seats as are given, in that order."""
    settings = {"variant": f"blockyou-{len(seats)}", "is_shuffled": False, **settings}
    return GameSetup(seats=seats, **settings)


def open_table(creator: User, *seats: SeatSetup, now: datetime = NOON, **settings: Any) -> Game:
    return create_game(creator, setup(*seats, **settings), now=now)


def running(*people: User, now: datetime = NOON, **settings: Any) -> Game:
    """Return a running game of these people, seated in that order; the first has opened it."""
    game = open_table(people[0], ME, *([OPEN] * (len(people) - 1)), now=now, **settings)
    for user in people[1:]:
        game = join_game(user, game.slug, token=game.invite_token, now=now)
    return Game.objects.get(pk=game.pk)


def player_to_move(game: Game) -> Actor:
    player = next(player for player in game.players.all() if player.seat == game.turn_seat)
    return player.user or BotSeat(game.pk, player.seat)


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def due(game: Game) -> int:
    """Return the number of the move that is due."""
    return next_number(game)


@transaction.atomic
def change(game: Game, now: datetime = NOON) -> None:
    """Change something that everybody sees and that is no move, as a line of chat would."""
    locked = access.game_to_change(game.creator, game.slug)
    changes.grow(locked, now)
    events.publish(Changed(**changes.about(locked)))


class Changed(events.GameEvent):
    """Something visible that is no move."""


def place(game: Game, text: str, actor: Actor | None = None, **more: Any) -> Outcome:
    """Place for the player to move: the move that is due, unless another number is given."""
    game = fresh(game)
    request = {"number": due(game), "key": key(), "now": NOON, **more}
    return play_placement(actor or player_to_move(game), game.slug, placement=text, **request)


def declare_pass(game: Game, actor: Actor | None = None, **more: Any) -> Outcome:
    game = fresh(game)
    request = {"number": due(game), "key": key(), "now": NOON, **more}
    return pass_turn(actor or player_to_move(game), game.slug, **request)


def take_turn(game: Game, *, by_bot: bool = False, now: datetime | None = None) -> Game:
    """Let the player to move place something, or the bot for them once their time is up."""
    game = fresh(game)
    player = Player.objects.get(game=game, seat=game.turn_seat or 0)
    actor = BotSeat(game.pk, player.seat) if by_bot else player.user
    text = any_placement(positions.position_of(game), random.Random(game.move_count))
    at = now or (game.deadline if by_bot and game.deadline else game.turn_since)
    assert actor
    return play_placement(actor, game.slug, placement=text, number=due(game), key=key(), now=at).game


Choose = Callable[[Position, random.Random], str]


def any_placement(position: Position, rng: random.Random) -> str:
    number = rng.randrange(position.legal_count())
    return str(table_for(position.variant).placement(position.nth_legal_id(number)))


def large_first(position: Position, rng: random.Random) -> str:
    """Choose among the first tenth of the legal placements, which are the largest pieces."""
    legal = position.legal_placements()
    return str(legal[rng.randrange(len(legal) // 10 + 1)])


def advance(game: Game, rng: random.Random, choose: Choose = any_placement, **more: Any) -> Game:
    """Play one turn by chance, or declare a pass where the colour to play is blocked."""
    return play_out(game, rng, choose, turns=1, **more)


def play_out(
    game: Game,
    chance: random.Random | int = 1,
    choose: Choose = any_placement,
    turns: int = 1000,
    now: datetime = NOON,
) -> Game:
    """Play the game by chance to its end, or so many turns of it."""
    rng = chance if isinstance(chance, random.Random) else random.Random(chance)
    game = fresh(game)
    actors = [player.user or BotSeat(game.pk, player.seat) for player in game.players.order_by("seat")]
    position = positions.position_of(game)
    while (seat := position.seat) is not None and turns:
        request: dict[str, Any] = {"number": due(game), "key": key(), "now": now}
        if position.has_legal():
            request["placement"] = choose(position, rng)
            outcome = play_placement(actors[seat], game.slug, **request)
            position = position.play(Placement.parse(request["placement"], position.variant))
        else:
            outcome = pass_turn(actors[seat], game.slug, **request)
            position = position.pass_turn()
        game, turns = outcome.game, turns - 1
        for _ in range(game.move_count - outcome.number):
            position = position.pass_turn()
    return fresh(game)


def count_again() -> None:
    """Bring the counters in step with games that were written straight into the tables."""
    for drift in list(counts.drifts()):
        counts.mend(drift)


def rows() -> list[Sequence[Any]]:
    """Return every row of play as it is stored, to compare before and after."""
    return [list(model.objects.order_by("pk").values_list()) for model in (Game, Player, Move)]


def tallies() -> list[tuple[Any, ...]]:
    """Return what people's totals say, without those that are nought."""
    return sorted((*each.key, each.number) for each in Tally.objects.exclude(number=0))


def begun(game: Game, turns: Iterable[str]) -> Game:
    """Play these placements in a game."""
    for text in turns:
        place(game, text)
    return game


def finished(*people: User, **settings: Any) -> Game:
    """Return a game of these people that the first has won: the others have resigned."""
    game = running(*people, **settings)
    for user in people[1:]:
        resign(user, game.slug)
    return fresh(game)


def check_audited(game: Game) -> None:
    """Check that all that is stored follows from the facts of a game, and is rebuilt from them."""
    assert list(audit.faults(fresh(game))) == []
    before = fresh(game).deadline
    lifecycle.rebuild(fresh(game))
    assert fresh(game).deadline == before
