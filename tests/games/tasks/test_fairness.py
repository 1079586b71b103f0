"""With long jobs people take turns: one person's many tables of slow bots keep no other waiting."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.background.worker import LONG, JobWorker
from games.jobs import enqueue, find_jobs
from games.models import Game
from games.tasks import advise, notify_of_turn
from tests.games.recorded import finished
from tests.games.tables import ME, bot, open_table
from tests.games.tasks.workers import jobs, make_older

pytestmark = pytest.mark.django_db(transaction=True)

#: As many tables as one guest had whose bots held all long thinking.
MANY = 39


def tables(owner: User, count: int = 1) -> list[int]:
    """Open tables at which only slow bots sit, whose turns wait from now on; return the games."""
    return [open_table(owner, bot("sage-9", 1), bot("sage-9", 2), variant="duo").pk for _ in range(count)]


def begun(worker: JobWorker, count: int) -> list[int]:
    """Let a worker begin so many jobs, and leave them running; return what they are about, in order."""
    taken = [worker.take() for _ in range(count)]
    return [job.arguments[0] for job in taken if job]


def test_a_stranger_waits_for_one_think_of_a_person_with_many_tables(alice: User, bob: User) -> None:
    many = tables(alice, MANY)
    worker = JobWorker("one")
    assert begun(worker, 1) == many[:1]
    [one] = tables(bob)
    assert begun(worker, 3) == [one, many[1], many[2]]


def test_a_stranger_who_asks_again_and_again_takes_every_second_turn(alice: User, bob: User) -> None:
    many, few = tables(alice, 4), tables(bob, 2)
    worker = JobWorker("one")
    assert begun(worker, 6) == [many[0], few[0], many[1], few[1], many[2], many[3]]


def test_it_makes_no_difference_how_many_workers_think(alice: User, bob: User, carol: User) -> None:
    many = tables(alice, 4)
    workers = [JobWorker("one"), JobWorker("other")]
    assert [*begun(workers[0], 1), *begun(workers[1], 1)] == many[:2]
    others = [*tables(bob), *tables(carol)]
    assert [*begun(workers[0], 1), *begun(workers[1], 1)] == others


def test_a_game_goes_on_by_the_turn_of_the_person_in_it_who_waits_for_longest(alice: User, bob: User) -> None:
    many = tables(alice, 3)
    worker = JobWorker("one")
    assert begun(worker, 1) == many[:1]
    shared = open_table(alice, bot("sage-9"), ME, *[bot("sage-9")] * 2)
    assert begun(worker, 1) == [many[1]]
    Game.objects.get(pk=shared.pk).players.filter(seat=2).update(bot="", user=bob)
    assert begun(worker, 2) == [shared.pk, many[2]]


def test_reviews_and_hints_count_as_thinking_for_who_asked(alice: User, bob: User) -> None:
    for _ in range(3):
        ask_for_review(alice, finished(alice, bob).slug)
    ask_for_review(bob, finished(bob, alice).slug)
    hint = finished(alice, bob).players.get(user=alice)
    enqueue(advise, hint.pk, 1, queue="thinkers")
    order = begun(JobWorker("one"), 5)
    assert order[0] == hint.pk
    reviews = [job.arguments[0] for job in sorted(find_jobs(), key=lambda job: job.enqueued_at) if job.name != "advise"]
    assert order[1:] == [reviews[3], *reviews[:3]]


def test_e_mails_and_thinking_take_turns(alice: User) -> None:
    for number in range(2):
        enqueue(notify_of_turn, 1, number)
        make_older(find_jobs()[-1], timedelta(seconds=100 - number))
    tables(alice, 2)
    worker = JobWorker("one")
    begun(worker, 4)
    names = [job.name for job in sorted(find_jobs("RUNNING"), key=lambda job: str(job.started_at))]
    assert names == ["notify_of_turn", "play_bot_turn", "notify_of_turn", "play_bot_turn"]
    assert jobs() == []


@pytest.mark.parametrize("long", [LONG, ()])
def test_hints_that_wait_are_found_for_one_person_after_the_other(
    alice: User, bob: User, long: Collection[str]
) -> None:
    seats = [finished(alice, bob).players.get(user=alice).pk for _ in range(3)]
    seats.append(finished(alice, bob).players.get(user=bob).pk)
    for number, seat in enumerate(seats):
        enqueue(advise, seat, 1)
        make_older(find_jobs()[-1], timedelta(seconds=100 - number))
    assert begun(JobWorker("one", long=long), 4) == [seats[0], seats[3], *seats[1:3]]


def test_quick_jobs_that_have_not_waited_are_done_in_order_without_a_look_at_whose_they_are(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    for seat in finished(alice, bob).players.all():
        enqueue(advise, seat.pk, 1)
    with django_assert_max_num_queries(2):
        assert JobWorker("one", long=()).take()
