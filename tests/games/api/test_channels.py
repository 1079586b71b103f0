"""The channel of a game by the API: shown, agreed to, refused; also by programs that call it a `chat`, as at first."""

from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from clients.python.blockyou import Client
from games.api.site import document
from tests.games.api.conftest import Program
from tests.games.tables import running

pytestmark = pytest.mark.django_db
DISCORD = "https://discord.com/api/webhooks/1/a-secret"


def test_a_program_shows_the_channel_agrees_and_says_no(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = running(alice, bob)
    path = f"games/{game.slug}/webhook"
    his = program(bob)
    assert his.get(path).json() == {"channel": 0, "chat": 0, "host": "", "by": "", "waits_for": []}
    assert program(alice).post(path, address=DISCORD).status_code == 204
    shown = his.get(path).json()
    assert {**shown, "channel": 0, "chat": 0} == {
        "channel": 0,
        "chat": 0,
        "host": "discord.com",
        "by": "alice",
        "waits_for": ["bob"],
    }
    assert his.post(f"{path}/agree", channel=shown["channel"] + 1).json()["code"] == "chat-changed"
    assert his.post(f"{path}/agree", channel=shown["channel"]).status_code == 204
    assert his.get(path).json()["waits_for"] == []
    assert his.post(f"{path}/stop").status_code == 204
    assert his.get(path).json()["channel"] == 0


def test_a_program_that_calls_it_a_chat_agrees_all_the_same(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    path, his = f"games/{running(alice, bob).slug}/webhook", program(bob)
    program(alice).post(path, address=DISCORD)
    shown = his.get(path).json()
    assert shown["chat"] == shown["channel"] > 0
    assert his.post(f"{path}/agree", chat=shown["chat"] + 1).status_code == 409
    assert his.post(f"{path}/agree", chat=shown["chat"]).status_code == 204
    assert his.get(path).json()["waits_for"] == []


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "channel"),
        ({"chat": "1"}, "chat"),
        ({"channel": None}, "channel"),
        ({"channel": True, "chat": 1}, "channel"),
    ],
    ids=str,
)
def test_an_answer_that_names_no_channel_is_refused(
    alice: User, bob: User, program: Callable[..., Program], sent: dict[str, object], field: str
) -> None:
    path = f"games/{running(alice, bob).slug}/webhook"
    program(alice).post(path, address=DISCORD)
    refused = program(bob).post(f"{path}/agree", **sent)
    assert (refused.status_code, refused.json()["code"], refused.json()["field"]) == (400, "bad-request", field)
    assert program(bob).get(path).json()["waits_for"] == ["bob"]


def test_a_refused_token_reads_the_name_of_the_scope_for_channels(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    path = f"games/{running(alice, bob).slug}/webhook"
    refused = program(alice, [Scope.READ]).post(path, address=DISCORD).json()
    assert (refused["code"], "needs the scope “channel”." in refused["detail"]) == ("scope", True)


def test_the_document_says_channel_and_marks_the_former_name() -> None:
    schemas = document()["components"]["schemas"]
    assert schemas["ChannelAnswer"]["required"] == ["channel"]
    assert {name for name, part in schemas["ChannelOut"]["properties"].items() if part.get("deprecated")} == {"chat"}
    operations = {one["operationId"] for methods in document()["paths"].values() for one in methods.values()}
    assert {name for name in operations if "chat" in name} == set()
    assert operations >= {"show_game_channel", "set_game_channel", "agree_to_channel", "remove_game_channel"}


def test_the_client_has_the_former_methods_too(monkeypatch: pytest.MonkeyPatch) -> None:
    client, sent = Client("http://site"), list[tuple[str, dict[str, object]]]()
    monkeypatch.setattr(client, "_post", lambda path, body: sent.append((path, body)))
    client.set_chat("abc", DISCORD)
    client.agree_to_chat("abc", chat=7)
    client.remove_chat("abc")
    assert sent == [
        ("games/abc/webhook", {"address": DISCORD}),
        ("games/abc/webhook/agree", {"channel": 7}),
        ("games/abc/webhook/stop", {}),
    ]
