"""Repeating what a crash lost. The games' own rows are the truth; jobs are only a way to get there sooner.

A worker that is killed leaves its job RUNNING for ever (django-tasks-db#5), and a process that is killed between a
commit and its subscribers leaves none. So a process that holds the lease looks every few seconds which turns are due
and have no live job, and asks for them again. One time too many is harmless: jobs look before they act.

What fails is tried again after a pause that doubles, and is parked after some tries: others need the workers too.
"""

import logging
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.mail.outbox import mails_due
from accounts.mail.requests import requests_due
from accounts.models import ConfirmationRequest, ResetRequest
from games import jobs, tasks
from games.actions.moves.time_out import time_out
from games.bots import adviser, reviewer
from games.jobs import UNREACHABLE
from games.models import Lease
from games.notifications.channels import REACHED
from games.notifications.digests import prepare_digests
from games.notifications.reminders import remind
from games.notifications.turns import settle
from games.queries.advising import hints_due, reviews_due
from games.queries.digests import digests_due
from games.queries.notices import deliveries_due, games_to_announce
from games.queries.turns import LateTurn, bot_turns_due, late_turns, waiting_turns
from games.queries.webhooks import posts_due, receivers_due

logger = logging.getLogger(__name__)

LEASE = "sweep"
LEASE_FOR = timedelta(seconds=30)

#: Kept as a lease that no process holds: until when no turn is ended after an outage. A pause of the sweep
#: is one from `OUTAGE` on. The grace is as long as the outage, at most `LONGEST_GRACE`.
GRACE_LEASE = "grace"
OUTAGE, LONGEST_GRACE = timedelta(minutes=5), timedelta(days=1)

#: Kept as such a lease too: until when the site says that other programs keep its bots from the processors.
STARVED, STARVED_FOR = "starved", timedelta(minutes=5)

#: A bot's turn gets this long to be played or at least to be asked for.
BOT_PATIENCE = timedelta(seconds=3)

#: An e-mail about an account gets this long to be written and sent, or at least to be asked for.
MAIL_PATIENCE = timedelta(seconds=5)

#: What happened gets this long to be announced, and messages about it to be sent, or at least to be asked for.
NOTICE_PATIENCE = timedelta(seconds=5)

#: Hints get this long to be found, or at least to be asked for; a player waits. After an hour no player does.
HINT_PATIENCE, HINT_UNTIL = timedelta(seconds=3), timedelta(hours=1)

#: A review gets this long to go on: its jobs wait until there are no others.
REVIEW_PATIENCE = timedelta(seconds=15)

#: Notifications that were lost are asked for again in this span of the turn's age.
NOTIFY_FROM, NOTIFY_UNTIL = timedelta(seconds=90), timedelta(hours=6)

#: A job of which its worker has said nothing for this long no longer keeps its turn from being asked for again; after
#: the second span it is taken for dead. Workers say every ten seconds that they are alive (`games.jobs.process.Pulse`).
LIVELY, DEAD = timedelta(seconds=40), timedelta(minutes=3)

#: What has failed this often is parked. The first pause before it is tried again; each further one is twice as long.
TRIES, FIRST_PAUSE = 5, timedelta(seconds=2)

#: How long jobs that are done are kept; those that failed longer, since their tries are counted.
KEPT_DONE, KEPT_FAILED = timedelta(hours=1), timedelta(days=1)

#: What a job is about: a game or a player, and the number of a move (0 for notices of any); a review, and how much of
#: it is done; or a message, and how many tries have begun.
JobArguments = tuple[int, int]


@dataclass(frozen=True)
class Swept:
    """What one sweep did, in numbers, and which games' and players' turns are parked."""

    bot_turns: int
    notices: int
    lost_jobs: int
    old_jobs: int
    parked: tuple[JobArguments, ...] = ()
    reviews: int = 0
    mails: int = 0
    hints: int = 0
    timeouts: int = 0
    reminders: int = 0

    @property
    def has_done_something(self) -> bool:
        """Whether anything was asked for or tidied up."""
        asked = self.bot_turns, self.notices, self.mails, self.reviews, self.hints, self.timeouts, self.reminders
        return any((*asked, self.lost_jobs, self.old_jobs))


def sweep(now: datetime, since: datetime | None = None) -> Swept:
    """Ask again for what is due, and tidy up after workers. Its cost grows with what is due, not with all games.

    Failures are forgotten after a day, and those before `since` too: once a mended site starts, all are tried again.
    """
    lost = jobs.fail_jobs_begun_before(now - DEAD, now)
    since = max(since or now - KEPT_FAILED, now - KEPT_FAILED)
    late = [] if _is_graceful(now) else late_turns(now)
    timeouts = sum(_time_out(turn, now) for turn in late if not turn.bot)
    missed = {(turn.game_id, turn.number): turn.bot for turn in late if turn.bot}
    bots = bot_turns_due(now - BOT_PATIENCE) | missed
    turns = _triage(tasks.play_bot_turn, bots, now, since)
    waiting = waiting_turns(REACHED, now - NOTIFY_UNTIL, now - NOTIFY_FROM)
    settle(waiting.needless)
    notices = _triage(tasks.notify_of_turn, waiting.to_notify, now, since)
    for turn, tries in turns.due.items():
        tasks.enqueue_bot_turn(*turn, bots[turn], tries)
    for turn in notices.due:
        tasks.enqueue_notification(*turn)
    written, unsent = _write(now, since)
    reminded = remind(now)
    for game in reminded:
        tasks.enqueue_announcement(game)
    for digest in prepare_digests(now):
        tasks.enqueue_digest(digest)
    announced, stuck = _announce(now, since)
    parked = (*turns.parked, *notices.parked, *unsent, *stuck)
    reviews = _go_on_reviewing(now, since)
    old = jobs.drop_old(successful_before=now - KEPT_DONE, failed_before=now - KEPT_FAILED)
    hints = _find_hints(now, since)
    asked = len(notices.due) + announced
    return Swept(len(turns.due), asked, lost, old, parked, reviews, written, hints, timeouts, len(reminded))


def _write(now: datetime, since: datetime) -> tuple[int, list[JobArguments]]:
    """Ask again for e-mails about accounts to be written or sent; return how many, and what is parked."""
    before = now - MAIL_PATIENCE
    mails = _triage(tasks.send_mail, mails_due(before), now, since)
    resets = _triage(tasks.mail_reset, requests_due(ResetRequest, before), now, since)
    confirmations = _triage(tasks.mail_confirmation, requests_due(ConfirmationRequest, before), now, since)
    for mail in mails.due:
        tasks.enqueue_mail(*mail)
    for request in resets.due:
        tasks.enqueue_reset(*request)
    for request in confirmations.due:
        tasks.enqueue_confirmation(*request)
    found = mails, resets, confirmations
    return sum(len(each.due) for each in found), [turn for each in found for turn in each.parked]


def _announce(now: datetime, since: datetime) -> tuple[int, list[JobArguments]]:
    """Ask again for announcements and for messages that are due; return how many, and what is parked."""
    announcements = _triage(tasks.announce_notices, games_to_announce(now - NOTICE_PATIENCE), now, since)
    messages = _triage(tasks.send_notice, deliveries_due(now - NOTICE_PATIENCE), now, since)
    digests = _triage(tasks.send_digest, digests_due(now - NOTICE_PATIENCE), now, since)
    for digest in digests.due:
        tasks.enqueue_digest(*digest)
    posts = _triage(tasks.send_post, posts_due(now - NOTICE_PATIENCE), now, since)
    for post in posts.due:
        tasks.enqueue_post(*post)
    receivers = _triage(tasks.tell_receiver, receivers_due(now - NOTICE_PATIENCE), now, since)
    for receiver in receivers.due:
        tasks.enqueue_receiver(*receiver)
    for game in announcements.due:
        tasks.enqueue_announcement(*game)
    for message in messages.due:
        tasks.enqueue_delivery(*message)
    found = announcements, messages, digests, posts, receivers
    return sum(len(each.due) for each in found), [turn for each in found for turn in each.parked]


def _time_out(turn: LateTurn, now: datetime) -> bool:
    """Record that the time for a turn is up; return whether it was. One game that fails holds no other up."""
    try:
        return time_out(turn.slug, number=turn.number, now=now) is not None
    except UNREACHABLE:
        raise
    except Exception:
        logger.exception("The time of game %s is up at move %s, and it cannot be recorded.", turn.slug, turn.number)
        return False


def _go_on_reviewing(now: datetime, since: datetime) -> int:
    """Ask again for what was lost of reviews, and fail those whose jobs always fail; return how many went on."""
    reviews = _triage(tasks.go_on_reviewing, reviews_due(now - REVIEW_PATIENCE), now, since)
    for review in reviews.due:
        tasks.enqueue_review(*review)
    for review in reviews.parked:
        reviewer.fail_review(*review)
    return len(reviews.due)


def _find_hints(now: datetime, since: datetime) -> int:
    """Ask again for hints that were lost, and give up those whose jobs always fail; return how many were asked for."""
    hints = _triage(tasks.advise, hints_due(now - HINT_UNTIL, now - HINT_PATIENCE), now, since)
    for hint in hints.due:
        tasks.enqueue_hint(*hint)
    for hint in hints.parked:
        adviser.fail_advice(*hint)
    return len(hints.due)


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


def _is_graceful(now: datetime) -> bool:
    """Whether the site has been back from an outage for less time than it was away. One query."""
    return Lease.objects.filter(pk=GRACE_LEASE, until__gt=now).exists()


def note_starved(now: datetime) -> None:
    """Note that a think has waited for a processor for long. Two queries at most."""
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
    missing = sorted(set(due) - _in_hand(kind, now)) if due else []
    failures = _failures(kind, now, since) if missing else {}
    parked = [turn for turn in missing if len(failures.get(turn, ())) >= TRIES]
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


def _in_hand(kind: jobs.JobKind, now: datetime) -> set[JobArguments]:
    """Return the turns whose jobs wait, or have begun a short while ago. One query."""
    return set(map(_turn_of, jobs.in_hand(kind, begun_after=now - LIVELY)))


def _turn_of(arguments: tuple[int, ...]) -> JobArguments:
    subject, number, *_tries = arguments
    return subject, number
