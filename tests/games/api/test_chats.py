"""The channel of a game by the API, where it is a `chat`: shown, agreed to, refused."""

from collections.abc import Callable

import pytest

from accounts.models import User
from tests.games.api.conftest import Program
from tests.games.tables import running

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/1/a-secret"


def test_a_program_shows_the_chat_agrees_and_says_no(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = running(alice, bob)
    path = f"games/{game.slug}/webhook"
    his = program(bob)
    assert his.get(path).json() == {"chat": 0, "host": "", "by": "", "waits_for": []}
    assert program(alice).post(path, address=DISCORD).status_code == 204
    shown = his.get(path).json()
    assert {**shown, "chat": 0} == {"chat": 0, "host": "discord.com", "by": "alice", "waits_for": ["bob"]}
    assert his.post(f"{path}/agree", chat=shown["chat"] + 1).json()["code"] == "chat-changed"
    assert his.post(f"{path}/agree", chat=shown["chat"]).status_code == 204
    assert his.get(path).json()["waits_for"] == []
    assert his.post(f"{path}/stop").status_code == 204
    assert his.get(path).json()["chat"] == 0
