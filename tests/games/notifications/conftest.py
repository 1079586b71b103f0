"""What is sent to this machine, and nowhere else."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.games.notifications.push_service import Service, push_service


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Return a push service on this machine, the only one that may be sent to here."""
    settings.PUSH_TO_LOOPBACK = True
    with push_service() as running_service:
        yield running_service
