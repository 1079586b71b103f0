"""Games in every state to look at, played through the same actions as real ones and always in the same way."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.db import transaction

from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.expire_table import expire_table
from games.actions.tables.join_game import join_game
from games.base import access
from games.base.setup import GameSetup, SeatSetup
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.randomly import RandomEngine
from games.clock import TimeControl
from games.models import Game, Group, Notification
from games.queries.tables.turns import next_number
from games.rules import Placement, Position, record
from games.rules.variants import COVERAGE, get_variant

PEOPLE = ("alice", "bob", "carol", "dave")
#: Those of them who have chosen a mark and a colour of their own.
FACES = {"bob": ("stairs", "5"), "carol": ("star", "8")}
CLUB = "Corner club"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)

# A tie, a bonus and a pass to declare are rare, and what engines choose changes with them: these are kept as played.
WRITTEN_DOWN: dict[str, list[str]] = json.loads(Path(__file__).with_name("demo_games.json").read_text("utf-8"))

Choose = Callable[[Position, int], Placement]


def greedy_placement(position: Position, seed: int) -> Placement:
    """Choose as the greedy bot does."""
    return GreedyEngine().think(position, seed=seed, number=position.move_count + 1).placement


def random_placement(position: Position, seed: int) -> Placement:
    """Choose as the random bot does."""
    return RandomEngine().think(position, seed=seed, number=position.move_count + 1).placement


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One table: its players and how far it has come.

    A seat is a name, `open`, `link`, `invite:<name>` or `bot:<kind>`; the first name has opened the table. `turns`
    are played (None: to the end), then as many more as it takes until `until` is to move. A scene whose turns are
    written down in `demo_games.json` is played from there. `idle` is how long ago the last turn was. `then` is what
    happens last: `cancel`, `expire`, `late` (out of time) or `resign:<name>`. Without a `variant` it is
    Block-You, without a `scoring` the variant's usual one. One that `is_of_club` belongs to the group of all four.
    """

    name: str
    seats: tuple[str, ...]
    variant: str = ""
    scoring: str = ""
    turns: int | None = 0
    until: str = ""
    idle: timedelta = 2 * HOUR
    days: int | None = 3
    seed: int = 0
    players: tuple[Choose, ...] = ()
    then: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    is_public: bool = True
    declares_passes: bool = False
    allows_hints: bool = True
    allows_advice: bool | None = None
    is_of_club: bool = False


SCENES = (
    Scene(name="Sunday round", seats=("alice", "open", "bob", "open")),
    Scene(name="Quick duel", seats=("carol", "open"), days=1),
    Scene(name="Just us two", seats=("alice", "link"), is_public=False, days=7),
    Scene(name="Coffee break", seats=("bob", "invite:alice", "open"), colours=("blue", "red", "green")),
    Scene(name="Lunch, take two", seats=("dave", "open", "bot:greedy", "open"), days=None),
    Scene(name="Not this week", seats=("dave", "open"), then=("cancel",)),
    Scene(name="Empty chairs", seats=("carol", "open", "open"), then=("expire",), idle=20 * DAY),
    Scene(name="Corner cases", seats=("alice", "bob"), turns=14, until="alice", allows_advice=True, seed=100),
    Scene(name="Four seasons", seats=("alice", "bob", "carol", "dave"), turns=30, until="carol", seed=200),
    Scene(name="Last hour", seats=("alice", "dave"), turns=9, until="alice", days=1, idle=23 * HOUR, seed=300),
    Scene(name="Long silence", seats=("alice", "bob"), turns=16, until="bob", days=2, idle=40 * HOUR, seed=400),
    Scene(
        name="Against the machines", seats=("alice", "bot:greedy", "bot:random", "bot:greedy"), turns=8, until="alice"
    ),
    Scene(
        name="Three of a kind",
        seats=("bob", "alice", "carol"),
        turns=20,
        until="alice",
        then=("resign:carol",),
        colours=("green", "yellow", "blue"),
        seed=500,
    ),
    Scene(
        name="Say it aloud",
        seats=("alice", "bob"),
        declares_passes=True,
    ),
    Scene(
        name="Behind closed doors",
        seats=("carol", "dave"),
        turns=10,
        is_public=False,
        days=14,
        seed=700,
        is_of_club=True,
    ),
    Scene(name="Every last piece", seats=("alice", "bob"), idle=DAY),
    Scene(name="Dead heat", seats=("alice", "bob", "carol", "dave"), idle=2 * DAY),
    Scene(name="Enough for today", seats=("alice", "carol"), turns=21, then=("resign:carol",), seed=800, idle=4 * DAY),
    Scene(name="Never begun", seats=("dave", "carol"), days=1, then=("late",), idle=5 * DAY),
    Scene(name="Gone fishing", seats=("bob", "alice"), turns=12, days=1, then=("late",), seed=900, idle=6 * DAY),
    Scene(
        name="All but one",
        seats=("alice", "bob", "carol", "dave"),
        turns=18,
        then=("resign:alice", "resign:carol", "resign:dave"),
        seed=1000,
        idle=8 * DAY,
    ),
    Scene(name="Greed and luck", seats=("bot:greedy", "bot:random"), turns=None, seed=1100, idle=9 * DAY),
    Scene(
        name="Trio",
        seats=("carol", "alice", "bob"),
        turns=None,
        seed=1200,
        idle=11 * DAY,
        colours=("red", "blue", "green"),
    ),
    Scene(
        name="First steps",
        seats=("dave", "bot:random"),
        turns=None,
        seed=1300,
        players=(random_placement,),
        idle=13 * DAY,
    ),
    # The other boards: one that waits, one that runs and one that is over, of each.
    Scene(name="Clockwise", variant="classic-4", seats=("bob", "open", "open", "bot:greedy")),
    Scene(
        name="Green for all", variant="classic-3", seats=("alice", "bob", "carol"), turns=18, until="alice", seed=1400
    ),
    Scene(
        name="Every cell counts",
        variant="classic-2",
        scoring=COVERAGE,
        seats=("alice", "bob"),
        turns=None,
        seed=1500,
        idle=3 * DAY,
    ),
    Scene(name="Anyone for a duel", variant="duo", seats=("dave", "open"), scoring=COVERAGE, allows_hints=False),
    Scene(name="En garde", variant="duo", seats=("alice", "bob"), turns=9, until="alice", scoring=COVERAGE, seed=1600),
    Scene(name="Touché", variant="duo", seats=("bob", "alice"), turns=None, seed=1700, idle=5 * DAY),
    Scene(name="Two of each", variant="junior", seats=("carol", "alice"), turns=8, until="alice", seed=1800),
    Scene(name="Little league", variant="junior", seats=("dave", "bot:random"), turns=None, seed=1900, idle=7 * DAY),
    Scene(name="Six free corners", variant="trigon-4", seats=("carol", "open", "bob", "open")),
    Scene(name="Honeycomb", variant="trigon-3", seats=("bob", "alice", "carol"), turns=15, until="alice", seed=2000),
    Scene(name="Sharp edges", variant="trigon-2", seats=("alice", "dave"), turns=None, seed=2100, idle=10 * DAY),
    Scene(
        name="Ten by ten", variant="codingame-2:10:42", seats=("alice", "bot:greedy"), turns=6, until="alice", seed=2200
    ),
    Scene(
        name="Three programs",
        variant="codingame-3:13:7",
        seats=("bot:greedy", "bot:random", "bot:greedy"),
        turns=None,
        players=(greedy_placement, random_placement, greedy_placement),
        seed=2300,
        idle=12 * DAY,
    ),
    Scene(name="Room for four", variant="codingame-4:16:1", seats=("dave", "open", "bot:random", "open")),
)


def set_the_scenes(people: Sequence[User], now: datetime) -> Iterable[Game]:
    """Yield each game that was not there yet, once it is as its scene wants it."""
    by_name = {user.username: user for user in people}
    club = _club(people, now)
    for scene in SCENES:
        if not Game.objects.filter(name=scene.name, creator__in=people).exists():
            yield _Director(scene, by_name, now, club).play()


def _club(people: Sequence[User], now: datetime) -> str:
    """Return the slug of the group to which all of them belong, made if missing."""
    owner, *others = people
    found = Group.objects.filter(owner=owner, name=CLUB).first()
    group = found or create_group(owner, CLUB, now=now - 30 * DAY)
    for number, other in enumerate(others):
        join_group(other, group.invite_token, now=now - (29 - number) * DAY)
    return group.slug


@transaction.atomic
def order_notices(games: Collection[Game]) -> None:
    """Number the notices of these games by their dates, as pages list them: one scene was played after another."""
    rows = list(Notification.objects.filter(game__in=games).order_by("created_at", "pk"))
    Notification.objects.filter(game__in=games).delete()
    for row in rows:
        row.pk = None
    Notification.objects.bulk_create(rows)


class _Director:
    """Plays one scene. Its turns are planned first, so that they can be an hour apart and end when the scene says."""

    def __init__(self, scene: Scene, people: dict[str, User], now: datetime, club: str) -> None:
        self.scene = scene
        self.group = club if scene.is_of_club else ""
        self.people = people
        self.end = now - scene.idle
        self.variant = scene.variant or f"blockyou-{len(scene.seats)}"
        self.scoring = scene.scoring or get_variant(self.variant).scorings[0]
        self.opener = next((seat for seat in scene.seats if seat in people), PEOPLE[0])

    @transaction.atomic
    def play(self) -> Game:
        """Return the game as the scene wants it; all of it is made, or nothing."""
        plan = self._plan()
        begin = self.end - len(plan) * HOUR
        game = create_game(self.people[self.opener], self._setup(), group=self.group, now=begin)
        for number, seat in enumerate(self.scene.seats):
            if seat in self.people and seat != self.opener:
                user, token = self.people[seat], game.invite_token
                game = join_game(user, game.slug, seat=number, token=token, now=begin)
        for number, text in enumerate(plan, 1):
            self._turn(game, text, begin + number * HOUR)
            game.refresh_from_db()
        for what in self.scene.then:
            self._finish(Game.objects.get(pk=game.pk), what)
        return Game.objects.get(pk=game.pk)

    def _setup(self) -> GameSetup:
        scene = self.scene
        return GameSetup(
            variant=self.variant,
            scoring=self.scoring,
            seats=tuple(self._seat(number, seat) for number, seat in enumerate(scene.seats)),
            colours=scene.colours,
            name=scene.name,
            is_public=scene.is_public,
            declares_passes=scene.declares_passes,
            allows_hints=scene.allows_hints,
            allows_advice=scene.allows_advice,
            time=TimeControl.days_a_move(scene.days),
            is_shuffled=False,
        )

    def _seat(self, number: int, seat: str) -> SeatSetup:
        kind, _colon, name = seat.partition(":")
        if kind == "bot":
            return SeatSetup(kind="bot", bot=name, seed=self.scene.seed + number)
        if kind == "invite":
            return SeatSetup(kind="named", username=name)
        if kind == "link":
            return SeatSetup(kind="link")
        return SeatSetup(kind="me" if kind == self.opener else "open")

    def _plan(self) -> list[str]:
        """Return the turns that the players will take, automatic passes left out."""
        plan = list(WRITTEN_DOWN.get(self.scene.name, ()))
        if plan:
            return plan
        position = Position.start(self.variant, self.scene.colours or None, self.scoring)
        while not self._is_enough(position):
            plan.append(self._choice(position))
            position = record.play_text(position, plan[-1])
            while self._passes_itself(position):
                position = position.pass_turn()
        return plan

    def _is_enough(self, position: Position) -> bool:
        scene, colour = self.scene, position.colour
        if colour is None:
            return True
        if scene.turns is None or position.move_count < scene.turns:
            return False
        return not scene.until or scene.seats[position.seat_of(colour)] == scene.until

    def _choice(self, position: Position) -> str:
        if not position.has_legal():
            return record.PASSED
        seat, players = position.seat or 0, self.scene.players or (greedy_placement,)
        return str(players[seat % len(players)](position, self.scene.seed + seat))

    def _passes_itself(self, position: Position) -> bool:
        if position.is_over or position.has_legal():
            return False
        return not self.scene.declares_passes or not any(map(position.has_legal, position.colours_in_play))

    def _turn(self, game: Game, text: str, now: datetime) -> None:
        name = self.scene.seats[game.turn_seat or 0]
        actor: access.Actor = self.people[name] if name in self.people else access.BotSeat(game.pk, game.turn_seat or 0)
        number, key = next_number(game), f"demo-{game.version:04}"
        if text == record.PASSED:
            pass_turn(actor, game.slug, number=number, key=key, now=now)
        else:
            play_placement(actor, game.slug, placement=text, number=number, key=key, now=now)

    def _finish(self, game: Game, what: str) -> None:
        verb, _colon, name = what.partition(":")
        if verb == "cancel":
            cancel_game(game.creator, game.slug)
        elif verb == "expire":
            expire_table(game.slug, now=game.expires_at or self.end)
        elif verb == "resign":
            resign(self.people[name], game.slug, now=self.end)
        else:
            time_out(game.slug, number=next_number(game), now=game.deadline)
