"""What a season must have been: kept promises, each notice once, and no game that one person could stop."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from games.models import Delivery, Game, Kind, Move, Notification, Player, Reason, Status

#: A turn is over so long after its time at the latest, while the site is up; and after the grace of an outage, which
#: the site counts from when it last said that it was there.
WITHIN, WITHIN_AFTER_OUTAGE = timedelta(minutes=1), timedelta(minutes=6)
NEVER = datetime.min.replace(tzinfo=UTC)


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

    def see(self, game: Game, now: datetime) -> None:
        """Look at a game that has changed: what it promises now, and whether a turn was ended that had time left."""
        number = game.move_count + 1
        for move in Move.objects.filter(game=game, number__gt=self._known(game)).order_by("number"):
            self._judge(game, move)
        self._late[game.pk] = (game.move_count, now)
        if game.deadline is not None:
            last = self.promised.get((game.pk, number), NEVER)
            self.promised[game.pk, number] = max(last, game.deadline)

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
