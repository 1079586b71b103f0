"""What a season must have been: kept promises, each notice once, and no game that one person could stop."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from games.base import access
from games.models import Delivery, Game, Kind, Move, Notification, Player, Reason, Status
from games.queries.play.forecast import Forecast, forecast
from games.queries.play.state import GameState, state_for

#: A turn is over so long after its time at the latest, while the site is up; and after the grace of an outage, which
#: the site counts from when it last said that it was there.
WITHIN, WITHIN_AFTER_OUTAGE = timedelta(minutes=1), timedelta(minutes=6)
#: After how many moves it is looked at when a page says that its game will end, and how many of a hundred games have to
#: end then; of fewer games than that number chance decides.
FORETOLD_AFTER, FORETOLD, ENOUGH = (12, 24, 44), 80, 40
NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Kept:
    """How many games ended of which their pages had said when, after so many moves; how many earlier, and later."""

    moves: int
    games: int
    early: int
    late: int

    @property
    def share(self) -> int:
        """Return how many of a hundred ended when they should."""
        return 100 * (self.games - self.early - self.late) // max(1, self.games)

    def __str__(self) -> str:
        return f"after {self.moves} moves {self.share} % of {self.games} ({self.early} earlier, {self.late} later)"


class Judge:
    """Sees every state of every game, and remembers what it promised."""

    def __init__(self, outages: Sequence[tuple[datetime, datetime]]) -> None:
        self.outages = outages
        #: By game and number of the move: the latest instant until which it could be made, as a page said.
        self.promised: dict[tuple[int, int], datetime] = {}
        self._late: dict[int, tuple[int, datetime]] = {}
        self.ended_early: list[str] = []
        self.ended_late: list[str] = []
        self.missed = 0
        #: By number of moves, then by game: between which moments the game would end, as its page said then.
        self.foretold: dict[int, dict[int, Forecast]] = {count: {} for count in FORETOLD_AFTER}

    def see(self, game: Game, now: datetime) -> None:
        """Look at a game that has changed: what it promises now, and whether a turn was ended that had time left."""
        number = game.move_count + 1
        for move in Move.objects.filter(game=game, number__gt=self._known(game)).order_by("number"):
            self._judge(game, move)
        self._late[game.pk] = (game.move_count, now)
        self._listen(game, now)
        if game.deadline is not None:
            last = self.promised.get((game.pk, number), NEVER)
            self.promised[game.pk, number] = max(last, game.deadline)

    def _listen(self, game: Game, now: datetime) -> None:
        """Keep what the game's page says of its end once it has so many moves."""
        for count, kept in self.foretold.items():
            if game.move_count >= count and game.pk not in kept and game.status == Status.RUNNING:
                state = state_for(access.game_to_view(game.creator, game.slug), game.creator, now=now)
                found = forecast(state) if isinstance(state, GameState) else None
                if found is not None:
                    kept[game.pk] = found

    def forecasts(self) -> Sequence["Kept"]:
        """Return how many games ended when their pages had said that they would."""
        ends = dict(Game.objects.filter(status=Status.FINISHED).values_list("pk", "finished_at"))
        kept = []
        for count, told in self.foretold.items():
            ended = [(found, at) for pk, found in told.items() if (at := ends.get(pk)) is not None]
            early, late = sum(at < found.first for found, at in ended), sum(at > found.last for found, at in ended)
            kept.append(Kept(count, len(ended), early, late))
        return kept

    def _known(self, game: Game) -> int:
        return self._late.get(game.pk, (0, NEVER))[0]

    def _judge(self, game: Game, move: Move) -> None:
        promised = self.promised.get((game.pk, move.number))
        is_missed = move.retired in {Reason.OUT_OF_TIME, Reason.VOID} or self._took_over(game, move)
        if promised is None or not is_missed:
            return
        self.missed += 1
        until = self._with_outages(promised)
        if move.played_at < until:
            self.ended_early.append(f"{game} move {move.number}: {move.played_at} before {until}")
        elif move.played_at > until + (WITHIN if until == promised else WITHIN_AFTER_OUTAGE):
            self.ended_late.append(f"{game} move {move.number}: {move.played_at} long after {until}")

    def _took_over(self, game: Game, move: Move) -> bool:
        """Whether a bot has made a move for a person who was not away yet: they have missed that turn."""
        seat = next(player for player in game.players.all() if player.seat == move.seat)
        return bool(move.bot) and not seat.bot and (game.pk, move.number) in self.promised

    def _with_outages(self, promised: datetime) -> datetime:
        """Return until when a turn may not be ended: those that end during an outage have its length added."""
        for (since, _until), grace in zip(self.outages, self.graces(), strict=True):
            if since <= promised < grace:
                return grace
        return promised

    def graces(self) -> list[datetime]:
        """Return until when no turn is ended after each outage: for as long as it was, at most for a day."""
        return [until + min(until - since, timedelta(days=1)) for since, until in self.outages]


def untrue_forecasts(kept: Sequence[Kept]) -> list[str]:
    """Return what pages said of too many games that ended at other times."""
    return [str(each) for each in kept if each.games >= ENOUGH and each.share < FORETOLD]


def endings() -> Mapping[str, int]:
    """Return how many games there are of each status and reason."""
    return Counter(f"{game.status} {game.reason}".strip() for game in Game.objects.all())


def unjust_endings() -> list[str]:
    """Return the games that were voided though both had moved, or ended by time with three or four players."""
    unjust = []
    for game in Game.objects.filter(status__in=(Status.FINISHED, Status.CANCELLED)).prefetch_related("players"):
        seats = len(game.players.all())
        have_moved = {move.seat for move in game.moves.exclude(kind=Kind.RETIRE)}
        if game.reason == Reason.VOID and (seats > 2 or len(have_moved) == 2):
            unjust.append(f"{game}: void")
        if game.reason == Reason.OUT_OF_TIME and seats > 2:
            unjust.append(f"{game}: out of time")
    return unjust


def still_running() -> list[str]:
    """Return the games that go on, which have all had time to end."""
    return [f"{game}: since {game.turn_since}" for game in Game.objects.filter(status=Status.RUNNING)]


def saved_games() -> int:
    """Return how many games were played to their end though a person in them had stopped: lost on other sites."""
    left = Player.objects.filter(user__isnull=False, missed__gt=0, game__reason=Reason.PLAYED_OUT)
    return left.values("game").distinct().count()


def notice_faults(message_ids: Sequence[str]) -> list[str]:
    """Return what is wrong with the notices: sent twice, lost, or left lying."""
    twice = [key for key, times in Counter(message_ids).items() if times > 1]
    sent = Delivery.objects.filter(sent_at__isnull=False).count()
    faults = [f"sent {Counter(message_ids)[key]} times: {key}" for key in twice]
    if sent != len(set(message_ids)):
        faults.append(f"{sent} are marked as sent, {len(set(message_ids))} were")
    for name, left in (
        ("not announced", Notification.objects.filter(is_due=True)),
        ("neither sent nor given up", Delivery.objects.filter(due_at__isnull=False)),
    ):
        if left.exists():
            faults.append(f"{left.count()} {name}")
    return faults
