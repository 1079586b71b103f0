"""Notes by the API: a scope of their own, and nothing is written over unseen."""

from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from tests.games.api.conftest import Program
from tests.games.tables import running

pytestmark = pytest.mark.django_db


def test_programs_read_and_write_notes_by_a_scope_of_their_own(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = running(alice, bob, is_public=True)
    mine, reader = program(alice, [Scope.NOTES]), program(alice, [Scope.READ])
    assert reader.get(f"games/{game.slug}/note").json()["code"] == "scope"
    assert mine.get(f"games/{game.slug}/note").json() == {"text": "", "edition": 0}
    assert mine.post(f"games/{game.slug}/note", text="One.", edition=0).json() == {"text": "One.", "edition": 1}
    late = mine.post(f"games/{game.slug}/note", text="Two.", edition=0)
    assert (late.status_code, late.json()["code"]) == (409, "note-changed")
    long = mine.post(f"games/{game.slug}/note", text="x" * 1001, edition=1)
    assert (long.status_code, long.json()["field"]) == (400, "text")
