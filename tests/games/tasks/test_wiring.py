"""Who hears what: connected once, however often the app says that it is ready."""

import pytest

from accounts.models import User
from games import events, wiring
from tests.games.tables import ME, bot, open_table
from tests.games.tasks.workers import jobs


@pytest.mark.django_db(transaction=True)
def test_connecting_again_changes_nothing(alice: User) -> None:
    wiring.connect()
    game = open_table(alice, bot(), ME)
    assert jobs() == [("play_bot_turn", [game.pk, 1])]


def test_every_event_reaches_open_pages() -> None:
    kinds = [kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, events.GameEvent)]
    heard = {kind for kind, _hear in wiring.SUBSCRIBERS}
    assert events.GameEvent in heard
    assert len(kinds) >= 8
