"""Pages are sent without the indentation of their templates; what people typed keeps its spaces."""

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.tables import running

pytestmark = pytest.mark.django_db


def test_no_line_of_a_page_begins_with_spaces(client: Client) -> None:
    lines = client.get("/rules/").content.decode().split("\n")

    assert len(lines) > 100
    assert not [line for line in lines if line.startswith((" ", "\t"))]


def test_a_note_is_shown_with_the_spaces_and_lines_that_were_typed(alice: User, bob: User, log_in: LogIn) -> None:
    game, typed = running(alice, bob), "first\n\n    then  this\nlast"
    page = f"/games/{game.slug}/note/"

    log_in(alice).post(page, {"text": typed, "edition": 0})

    assert f"\n{typed}</textarea>" in log_in(alice).get(page).content.decode().replace("\r\n", "\n")
