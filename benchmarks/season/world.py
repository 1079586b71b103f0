"""The world of a season: a clock that is moved by hand, a site that is up or down, and people who come and play.

Nothing is short-circuited: moves go through the actions, jobs through the queue and a worker, what is due through the
sweep. Only the present is made up, for Python and for the database (SQLite).
"""

import heapq
import itertools
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import time_machine
from django.db import connection

from accounts.models import User
from benchmarks.season.judge import Judge
from games import jobs
from games.actions.moves.come_back import come_back
from games.actions.moves.note_presence import note_presence
from games.actions.moves.play_placement import play_placement
from games.background.sweep import hold_lease, sweep
from games.background.worker import JobWorker
from games.base import positions
from games.jobs.courier import Courier
from games.models import Game, Player, Status
from games.queries.tables.turns import next_number
from games.rules import Position
from games.tasks import people_of

#: The sweep of a real site looks every few seconds. Here it keeps its lease so often that no outage is seen, looks
#: every few times, and when a deadline is over.
LEASE_EVERY, SWEEP_EVERY, AFTER_DEADLINE = timedelta(minutes=4), 5, timedelta(seconds=5)
#: By then every table is opened.
OPENED_WITHIN = timedelta(days=1)
#: A person thinks for so long about a move, in seconds.
THINKS = (10, 240)

#: Something that happens; False if it changes nothing that waits for a worker or the judge.
Event = Callable[[], bool | None]


class World:
    """All that happens, in the order in which it does."""

    def __init__(self, start: datetime, outages: list[tuple[datetime, datetime]], rng: random.Random) -> None:
        self.now, self.outages, self.rng = start, outages, rng
        self.judge = Judge(outages)
        self._events: list[tuple[datetime, int, Event]] = []
        self._order = itertools.count()
        self._promised: set[datetime] = set()
        self._workers = (JobWorker("season"), Courier("season", people_of))
        self._seen, self._opened = start, start + OPENED_WITHIN
        for moment in self.judge.graces():
            self.at(moment + LEASE_EVERY + AFTER_DEADLINE, self._sweep)

    def at(self, moment: datetime, event: Event) -> None:
        """Schedule an event for a moment; while the site is down, for shortly after it is back."""
        for since, until in self.outages:
            if since <= moment < until:
                moment = until + timedelta(seconds=self.rng.randrange(30, 3600))
        heapq.heappush(self._events, (moment, next(self._order), event))

    def run(self, until: datetime) -> None:
        """Run all events up to a moment, or until no game goes on."""
        with time_machine.travel(self.now, tick=False) as traveller:
            connection.ensure_connection()
            connection.connection.create_function("strftime", 2, self._database_time)
            while self._events and self._events[0][0] <= until:
                self.now, _number, event = heapq.heappop(self._events)
                traveller.move_to(self.now)
                if event() is not False:
                    self._work()
                    self._look()

    def keep_sweeping(self, times: int = 0) -> bool:
        """Keep the lease and look what is due, as a process of the site does again and again; return if it looked."""
        looks = hold_lease("season", self.now) and times % SWEEP_EVERY == 0
        if looks:
            sweep(self.now)
        if times % SWEEP_EVERY or self.now < self._opened or Game.objects.filter(status=Status.RUNNING).exists():
            following = self.now + LEASE_EVERY
            down = [until for since, until in self.outages if since <= following < until]
            self.at(down[0] if down else following, partial(self.keep_sweeping, times + 1))
        return looks

    def visit(self, user: User) -> None:
        """Open the site as a person: come back where they were away, and play where it is their turn."""
        for seat in Player.objects.filter(user=user, game__status=Status.RUNNING, retired="").select_related("game"):
            if seat.is_away:
                come_back(user, seat.game.slug)
        for game in Game.objects.filter(turn_user=user, status=Status.RUNNING):
            thought = timedelta(seconds=self.rng.randrange(*THINKS))
            self.at(self.now + thought, partial(self._play, game, user))

    def _play(self, game: Game, user: User) -> None:
        game = Game.objects.get(pk=game.pk)
        if game.turn_user_id != user.pk or game.status != Status.RUNNING:
            return
        note_presence(game.players.filter(user=user), is_looking=True, now=self.now)
        number = next_number(game)
        text = _choose(positions.position_of(game), self.rng)
        play_placement(user, game.slug, placement=text, number=number, key=f"season-{game.pk}-{number}")

    def _sweep(self) -> None:
        if hold_lease("season", self.now):
            sweep(self.now)

    def _work(self) -> None:
        """Do the jobs that are due, and come back for those that are put off."""
        while job := next(filter(None, (worker.take() for worker in self._workers)), None):
            jobs.run_job(job)
        for job in jobs.find_jobs("READY"):
            if job.due_since not in self._promised:
                self._promised.add(job.due_since)
                self.at(job.due_since, self._wake)

    def _wake(self) -> None:
        """Wake the worker for a job that is due."""

    def _look(self) -> None:
        """Tell the judge what has changed, and have the sweep look when a new deadline is over."""
        changed = Game.objects.filter(changed_at__gte=self._seen).prefetch_related("players")
        self._seen = self.now
        for game in changed:
            self.judge.see(game, self.now)
            if game.deadline is not None and game.deadline not in self._promised:
                self._promised.add(game.deadline)
                self.at(game.deadline + AFTER_DEADLINE, self._sweep)

    def _database_time(self, *_format: Any) -> str:
        return f"{self.now.astimezone(UTC):%Y-%m-%d %H:%M:%S}.{self.now.microsecond // 1000:03}"


def _choose(position: Position, rng: random.Random) -> str:
    """Choose among the first tenth of the legal placements, which are the largest pieces."""
    legal = position.legal_placements()
    return str(legal[rng.randrange(len(legal) // 10 + 1)])
