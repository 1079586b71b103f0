"""What tests of play share beyond the cast."""

from collections.abc import Iterator

import pytest

from games import events


@pytest.fixture
def heard() -> Iterator[list[events.GameEvent]]:
    """Every event that is told while the test runs."""
    told: list[events.GameEvent] = []
    events.subscribe(events.GameEvent, told.append)
    yield told
    events.unsubscribe(events.GameEvent, told.append)
