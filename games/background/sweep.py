"""Repeating what a crash lost. The games' own rows are the truth; jobs are only a way to get there sooner.

A worker that is killed leaves its job RUNNING for ever (django-tasks-db#5), and a process that is killed between a
commit and its subscribers leaves none. So a process that holds the lease looks every few seconds which turns are due
and have no live job, and asks for them again. One time too many is harmless: jobs look before they act.

What fails is tried again after a pause that doubles, and is parked after some tries: others need the workers too.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from games import jobs, tasks
from games.actions.kindness.spend_holiday import spend_holiday
from games.actions.moves.time_out import time_out
from games.actions.plans.play_plan import play_plan
from games.bots import adviser, reviewer
from games.jobs import UNREACHABLE
from games.models import Lease
from games.notifications.channels import REACHED
from games.notifications.digests import prepare_digests
from games.notifications.outlets import Outlet
from games.notifications.reminders import remind
from games.notifications.turns import settle_turns
from games.queries.analysis.advising import hints_due, reviews_due
from games.queries.notices.notices import games_to_announce
from games.queries.people.groups import standing_tables_due
from games.queries.tables.seeks import seeks_due
from games.queries.tables.turns import LateTurn, bot_turns_due, late_turns, planned_turns, waiting_turns

logger = logging.getLogger(__name__)

LEASE = "sweep"
LEASE_FOR = timedelta(seconds=30)

#: Kept as a lease that no process holds: until when no turn is ended after an outage. A pause of the sweep
#: is one from `OUTAGE` on. The grace is as long as the outage, at most `LONGEST_GRACE`.
GRACE_LEASE = "grace"
OUTAGE, LONGEST_GRACE = timedelta(minutes=5), timedelta(days=1)

#: Kept as such a lease too: until when the site says that other programs keep its jobs from the processors.
STARVED, STARVED_FOR = "starved", timedelta(minutes=5)

#: A bot's turn gets this long to be played or at least to be asked for.
BOT_PATIENCE = timedelta(seconds=3)

#: So does a planned move: the process in which its turn began may not have lived to ask for it.
PLAN_PATIENCE = timedelta(seconds=1)
#: For so long no bot is asked to play for its player instead.
PLAN_FIRST = timedelta(seconds=30)

#: What happened gets this long to be announced, and what goes out to be written and sent, or at least to be asked for.
OUTLET_PATIENCE = timedelta(seconds=5)

#: Hints get this long to be found, or at least to be asked for; a player waits. After an hour no player does.
HINT_PATIENCE, HINT_UNTIL = timedelta(seconds=3), timedelta(hours=1)

#: A review gets this long to go on: its jobs wait until there are no others.
REVIEW_PATIENCE = timedelta(seconds=15)

#: The next game of a group's standing table gets this long to open, or at least to be asked for.
STANDING_PATIENCE = timedelta(seconds=5)

#: So does a seat for a person who always wants one.
SEEK_PATIENCE = timedelta(seconds=5)

#: Notifications that were lost are asked for again in this span of the turn's age.
NOTIFY_FROM, NOTIFY_UNTIL = timedelta(seconds=90), timedelta(hours=6)

#: A job of which its worker has said nothing for this long no longer keeps its turn from being asked for again; after
#: the second span it is taken for dead. Workers say every ten seconds that they are alive (`games.jobs.process.Pulse`).
LIVELY, DEAD = timedelta(seconds=40), timedelta(minutes=3)

#: What has failed this often is parked. The first pause before it is tried again; each further one is twice as long.
PARKED_AFTER, FIRST_PAUSE = 5, timedelta(seconds=2)

#: How long jobs that are done are kept; those that failed longer, since their tries are counted.
KEPT_DONE, KEPT_FAILED = timedelta(hours=1), timedelta(days=1)

#: What a job is about: a game or a player, and the number of a move (0 for notices of any); a review, and how much of
#: it is done; or a message, and how many tries have begun.
JobArguments = tuple[int, int]


@dataclass(frozen=True)
class Swept:
    """What one sweep did, in numbers, and which games' and players' turns are parked."""

    bot_turns: int = 0
    notices: int = 0
    lost_jobs: int = 0
    old_jobs: int = 0
    parked: tuple[JobArguments, ...] = ()
    reviews: int = 0
    mails: int = 0
    hints: int = 0
    timeouts: int = 0
    reminders: int = 0
    ratings: int = 0
    plans: int = 0
    archives: int = 0
    standing: int = 0
    seeks: int = 0

    @property
    def has_done_something(self) -> bool:
        """Whether anything was asked for or tidied up."""
        return self != Swept(parked=self.parked)


def sweep(now: datetime, since: datetime | None = None) -> Swept:
    """Ask again for what is due, and tidy up after workers. Its cost grows with what is due, not with all games.

    Failures are forgotten after a day, and those before `since` too: once a mended site starts, all are tried again.
    """
    lost = jobs.fail_jobs_begun_before(now - DEAD, now)
    since = max(since or now - KEPT_FAILED, now - KEPT_FAILED)
    # Before their time is ended: a move that was planned in time is in time.
    plans = _play_late_plans(now)
    late = _late(now)
    spent = {turn.game_id for turn in late if turn.has_holidays and _spend_holiday(turn, now)}
    timeouts = sum(_time_out(turn, now) for turn in late if not turn.bot and turn.game_id not in spent)
    reminded = remind(now)
    for digest in prepare_digests(now):
        tasks.DIGESTS.ask(digest)
    asked, parked = Counter[str](), list[JobArguments]()
    for kind in REPEATED:
        found = _triage(kind.job, kind.due(now), now, since)
        for (subject, number), failed in found.due.items():
            kind.ask(subject, number, failed)
        asked[kind.counted] += len(found.due)
        if kind.give_up is None:
            parked += found.parked
        else:
            for subject, number in found.parked:
                kind.give_up(subject, number)
    old = jobs.drop_old(successful_before=now - KEPT_DONE, failed_before=now - KEPT_FAILED)
    asked["plans"] += plans
    numbers = {"timeouts": timeouts, "reminders": len(reminded), "lost_jobs": lost, "old_jobs": old, **asked}
    return Swept(**numbers, parked=tuple(parked))


def _late(now: datetime) -> list[LateTurn]:
    """Return the turns whose time is up, none while players have back the time of an outage. Two queries."""
    return [] if Lease.objects.filter(pk=GRACE_LEASE, until__gt=now).exists() else late_turns(now)


def _play_late_plans(now: datetime) -> int:
    """Make the planned moves for which no job has come in time; return how many. A query or two, those of the moves."""
    late = {(turn.game_id, turn.number) for turn in late_turns(now)}
    slugs = planned_turns(now) if late else {}
    return sum(_play_late_plan(slugs[turn], turn[1], now) for turn in sorted(late & slugs.keys()))


def _play_late_plan(slug: str, number: int, now: datetime) -> bool:
    """Make a planned move whose time is up; return whether it was made. One that fails holds no other up."""
    try:
        return play_plan(slug, number=number, now=now) is not None
    except UNREACHABLE:
        raise
    except Exception:
        logger.exception("The planned move %s of game %s cannot be made.", number, slug)
        return False


def _time_out(turn: LateTurn, now: datetime) -> bool:
    """Record that the time for a turn is up; return whether it was. One game that fails holds no other up."""
    try:
        return time_out(turn.slug, number=turn.number, now=now) is not None
    except UNREACHABLE:
        raise
    except Exception:
        logger.exception("The time of game %s is up at move %s, and it cannot be recorded.", turn.slug, turn.number)
        return False


def _spend_holiday(turn: LateTurn, now: datetime) -> bool:
    """Take a day of holidays for a turn whose time is up; return whether that was done. One that fails is ended."""
    try:
        return spend_holiday(turn.slug, number=turn.number, now=now)
    except UNREACHABLE:
        raise
    except Exception:
        logger.exception("No holiday could be taken in game %s at move %s.", turn.slug, turn.number)
        return False


def _bot_turns(now: datetime) -> set[JobArguments]:
    """Return the turns of bots, and those of people whose time is up and for whom a bot plays. Four queries at most.

    For a person who has planned the turn a bot waits a while.
    """
    missed = {(turn.game_id, turn.number) for turn in _late(now) if turn.bot}
    due = {*bot_turns_due(now - BOT_PATIENCE), *missed}
    return due - planned_turns(now, now - PLAN_FIRST).keys() if due else due


def _turns_to_notify(now: datetime) -> set[JobArguments]:
    """Return the turns of which a person is to be notified; those that need no notice are settled. Two queries."""
    waiting = waiting_turns(REACHED, now - NOTIFY_UNTIL, now - NOTIFY_FROM)
    settle_turns(waiting.needless)
    return waiting.to_notify


@dataclass(frozen=True)
class Repeated:
    """A kind of job that is asked for again when it was lost.

    `due` finds what should have been done by now. `ask` is called with what a job is about, and with how many have
    failed. What has failed too often is given up by `give_up`; without that it is parked, which the log says.
    `counted` is the number of `Swept` that says how many were asked for.
    """

    job: jobs.JobKind
    due: Callable[[datetime], Collection[JobArguments]]
    ask: Callable[[int, int, int], None]
    counted: str = "notices"
    give_up: Callable[[int, int], object] | None = None

    @classmethod
    def by(cls, outlet: Outlet) -> "Repeated":
        """Return what repeats a way out; what has failed too often is parked."""
        return cls(
            outlet.job,
            lambda now: outlet.due(now - OUTLET_PATIENCE),
            lambda row, tries, _: outlet.ask(row, tries),
            outlet.counted,
        )


#: All that is asked for again, in this order.
REPEATED: tuple[Repeated, ...] = (
    Repeated(
        tasks.play_planned,
        lambda now: planned_turns(now - PLAN_PATIENCE),
        lambda game, number, _: tasks.enqueue_planned(game, number),
        "plans",
    ),
    Repeated(tasks.play_bot_turn, _bot_turns, tasks.enqueue_bot_turn_again, "bot_turns"),
    Repeated(
        tasks.notify_of_turn, _turns_to_notify, lambda player, number, _: tasks.enqueue_notification(player, number)
    ),
    Repeated(
        tasks.announce_notices,
        lambda now: games_to_announce(now - OUTLET_PATIENCE),
        lambda game, number, _: jobs.enqueue(tasks.announce_notices, game, number),
    ),
    *map(Repeated.by, (*tasks.OUTLETS, tasks.ARCHIVES)),
    Repeated(
        tasks.advise,
        lambda now: hints_due(now - HINT_UNTIL, now - HINT_PATIENCE),
        lambda player, number, _: tasks.enqueue_hint(player, number),
        "hints",
        adviser.fail_advice,
    ),
    Repeated(
        tasks.go_on_reviewing,
        lambda now: reviews_due(now - REVIEW_PATIENCE),
        lambda review, done, _: tasks.enqueue_review(review, done),
        "reviews",
        reviewer.fail_review,
    ),
    Repeated(
        tasks.open_next_of_group,
        lambda now: standing_tables_due(now - STANDING_PATIENCE),
        lambda standing, _number, _: tasks.enqueue_next_of_group(standing),
        "standing",
    ),
    Repeated(
        tasks.seat_for_seek,
        lambda now: seeks_due(now - SEEK_PATIENCE),
        lambda seek, _number, _: tasks.enqueue_seek(seek),
        "seeks",
    ),
    Repeated(tasks.refit_ratings, tasks.refits_due, lambda family, day, _: tasks.enqueue_refit(family, day), "ratings"),
)


def hold_lease(holder: str, now: datetime) -> bool:
    """Take or keep the lease; return whether this holder has it. One conditional update decides between processes.

    After an outage a grace begins: players could not move, and have that time back before any turn is ended.
    """
    lease, is_new = Lease.objects.get_or_create(name=LEASE, defaults={"until": now})
    free = Q(holder=holder) | Q(until__lte=now)
    if not Lease.objects.filter(free, pk=lease.pk).update(holder=holder, until=now + LEASE_FOR):
        return False
    away = now - lease.until
    if away >= OUTAGE and not is_new:
        Lease.objects.update_or_create(name=GRACE_LEASE, defaults={"until": now + min(away, LONGEST_GRACE)})
    return True


def note_starved(now: datetime) -> None:
    """Note that a think or another job has waited for a processor for long. Two queries at most."""
    Lease.objects.update_or_create(name=STARVED, defaults={"until": now + STARVED_FOR})


def release_lease(holder: str, now: datetime) -> None:
    """Give the lease back, so that another process need not wait for its end."""
    Lease.objects.filter(pk=LEASE, holder=holder).update(holder="", until=now)


@dataclass(frozen=True)
class _Triage:
    """What to ask for now, with the number of tries that have failed, and what to leave alone."""

    due: dict[JobArguments, int]
    parked: list[JobArguments]


def _triage(kind: jobs.JobKind, due: Collection[JobArguments], now: datetime, since: datetime) -> _Triage:
    """Return what to do about those of these turns that no worker has in hand."""
    missing = sorted(set(due).difference(map(_turn_of, jobs.in_hand(kind, begun_after=now - LIVELY)))) if due else []
    failures = _failures(kind, now, since) if missing else {}
    parked = [turn for turn in missing if len(failures.get(turn, ())) >= PARKED_AFTER]
    rested = [turn for turn in missing if turn not in parked and _has_rested(failures.get(turn, ()), now)]
    return _Triage({turn: len(failures.get(turn, ())) for turn in rested}, parked)


def _has_rested(failures: Collection[datetime], now: datetime) -> bool:
    return not failures or now >= max(failures) + FIRST_PAUSE * 2 ** (len(failures) - 1)


def _failures(kind: jobs.JobKind, now: datetime, since: datetime) -> dict[JobArguments, list[datetime]]:
    """Return when each turn's jobs began that have failed, or lost their worker. One query."""
    found: dict[JobArguments, list[datetime]] = defaultdict(list)
    for arguments, began in jobs.failures(kind, begun_after=since, lost_before=now - LIVELY):
        found[_turn_of(arguments)].append(began)
    return found


def _turn_of(arguments: tuple[int, ...]) -> JobArguments:
    subject, number, *_tries = arguments
    return subject, number
