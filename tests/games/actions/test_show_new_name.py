"""A new name is shown at once on every open page that has the former one."""

import pytest

from accounts.guests import create_guest
from accounts.models import User
from accounts.naming import rename
from games.actions.tables.cancel_game import cancel_game
from games.events import GameEvent
from tests.conftest import person
from tests.games.tables import ME, OPEN, fresh, open_table, running

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_guest_who_chooses_a_name_is_shown_at_every_table_that_is_not_over(heard: list[GameEvent]) -> None:
    alice, guest = person("alice"), create_guest()
    tables = [running(alice, guest), open_table(guest, ME, OPEN)]
    others = [running(alice, person("bob")), open_table(guest, ME, OPEN)]
    cancel_game(guest, others[1].slug)
    others[1] = fresh(others[1])
    heard.clear()
    rename(guest, "Berta")
    assert [event.slug for event in heard] == [table.slug for table in tables]
    assert [fresh(table).version - table.version for table in (*tables, *others)] == [1, 1, 0, 0]
    assert User.objects.get(pk=guest.pk).username == "Berta"
