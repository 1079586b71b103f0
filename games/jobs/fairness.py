"""Taking turns with long jobs: one person with many tables of slow bots keeps no other waiting.

The next job is for the person for whom none was begun for longest, and of that person the one that has waited longest.
The jobs' own rows say for whom one was begun, so nothing else is kept, and nothing is lost with a worker.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TypeAlias

from games.jobs.interface import Job

#: At most this many waiting jobs are looked at: ten people with as many tables as one may have.
JOBS_LOOKED_AT = 500
#: At most this many of the jobs begun last are looked at; a person for whom none of them was begun has waited longest.
JOBS_REMEMBERED = 64

#: The name of a job and its first argument: what it is about.
Subject: TypeAlias = tuple[str, int]
#: How the keys of the users are found for whom jobs are done; what is for no certain person is left out.
FindPeople: TypeAlias = Callable[[set[Subject]], Mapping[Subject, frozenset[int]]]

#: What is not for a certain person, e-mails above all, takes turns with people as if it were one.
_THE_SITE = frozenset([0])
_NEVER = datetime.min.replace(tzinfo=UTC)


def fairest(waiting: Sequence[Job], begun: Sequence[Job], find_people: FindPeople) -> Job:
    """Return which of the waiting jobs is to be done next, with regard to those begun last."""
    people = find_people({*map(_subject, waiting), *map(_subject, begun)})
    last: dict[int, datetime] = {}
    for job in begun:
        for person in people.get(_subject(job), _THE_SITE):
            last[person] = max(last.get(person, _NEVER), job.started_at or _NEVER)

    def served(job: Job) -> datetime:
        return min(last.get(person, _NEVER) for person in people.get(_subject(job), _THE_SITE))

    return min(waiting, key=lambda job: (served(job), job.due_since))


def _subject(job: Job) -> Subject:
    return job.name, job.arguments[0]
