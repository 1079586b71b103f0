"""While the queue cannot be reached people's moves are kept, and what they should have asked for is asked for later."""

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks import task_backends

from accounts.models import User
from games.background.sweep import sweep
from games.management.commands import sweep as command
from games.models import Game
from games.views.health import are_jobs_taken
from tests.games.tables import ME, advance, bot, fresh, open_table
from tests.games.tasks.queues import QUEUES
from tests.games.tasks.test_sweep import Rounds
from tests.games.tasks.workers import jobs, run_jobs

pytestmark = [
    pytest.mark.django_db(transaction=True),
    # Without its database there is no site.
    pytest.mark.parametrize("job_queue", QUEUES[1:], indirect=True),
]


@pytest.fixture
def away(job_queue: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Let no server answer where the jobs are kept, until this is undone."""
    backend: Any = task_backends["redis"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(backend.options, "url", "redis://127.0.0.1:1")
        yield patch


@pytest.fixture
def game(alice: User) -> Game:
    """Return a game in which it is alice's turn, and then the bot's."""
    return open_table(alice, ME, bot(), now=timezone.now())


def test_a_move_is_kept_and_the_bot_answers_when_the_queue_is_back(game: Game, away: pytest.MonkeyPatch) -> None:
    advance(game, random.Random(1))
    assert fresh(game).move_count == 1
    assert not are_jobs_taken()
    away.undo()
    assert ("play_bot_turn", [game.pk, 2]) not in jobs()
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == 1
    run_jobs()
    assert fresh(game).move_count == 2
    assert are_jobs_taken()


def test_the_sweep_goes_on_trying(game: Game, away: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    command.keep_sweeping("me", 5, Rounds(2))
    assert caplog.text.count("The sweep failed and is tried again.") == 2


def test_metrics_say_the_rest(game: Game, away: pytest.MonkeyPatch, client: Client) -> None:
    page = client.get("/metrics").content.decode()
    assert "blockyou_release{" in page
    assert "blockyou_jobs_oldest_seconds" not in page
