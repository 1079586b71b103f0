"""The queues that jobs may wait in; a module that imports `job_queue` has its tests run on each of them.

On Redis where there is one: `.ci/run` starts it.
"""

import os

import pytest
from pytest_django import Settings

from tests.games.tasks.storage import storage

QUEUES = ["database", "redis"] if os.environ.get("REDIS_URL") else ["database"]

#: Those that wake workers.
WAKING = QUEUES if os.environ.get("DATABASE_URL", "").startswith("postgres") else QUEUES[1:]


@pytest.fixture(params=QUEUES, autouse=True)
def job_queue(request: pytest.FixtureRequest, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let jobs wait in this queue, in the processes that the test starts too; return its name."""
    name: str = request.param
    settings.JOB_QUEUE = name
    if name == "redis":
        storage().forget()
    return name
