"""The history as a file: what is filtered, for spreadsheets and for programs."""

import asyncio
import csv
import json
import zlib
from io import StringIO
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from blockyou.asgi import http
from games.pages.history import file
from tests.conftest import LogIn
from tests.games.streams import read_parts, read_streamed
from tests.games.views.lists import many


def read(client: Client, address: str) -> str:
    answer: Any = client.get(address)
    assert answer.status_code == 200
    return read_streamed(answer)


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(read(client, f"/history/games.csv{query}").removeprefix("\ufeff"))))


def test_a_file_holds_what_the_page_lists_the_latest_first(alice: User, bob: User, log_in: LogIn) -> None:
    games = many.finished(3, alice, bob, scores=(4, -9))
    many.finished(1, alice, bob, scores=(-9, 4))
    found = rows(log_in(alice), "?result=won&opponent=ob")
    assert [row["game"].rpartition("/games/")[2] for row in found] == [f"{game.slug}/" for game in games[::-1]]
    expected = {"result": "won", "end": "played-out", "score": "4", "others": "bob -9", "board": "blockyou-2"}
    assert expected.items() <= found[0].items()
    assert found[0]["finished"] == "2026-03-01T14:00:00+00:00"


def test_json_says_the_same_in_plain_values(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob, scores=(4, -9), variant="codingame-2:10:42", name="Évora")
    [game] = json.loads(read(log_in(alice), "/history/games.json"))["games"]
    assert (game["name"], game["size"], game["others"]) == ("Évora", 10, [{"name": "bob", "score": -9}])
    assert json.loads(read(log_in(bob), "/history/games.json?result=won")) == {"games": []}


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\uff1d", "\uff0b", "\uff0d", "\uff20"])
def test_no_name_becomes_a_formula(begin: str, alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob, name=f'{begin}HYPERLINK("x")')
    assert rows(log_in(alice))[0]["name"] == f'\'{begin}HYPERLINK("x")'


def test_a_file_goes_on_past_one_lot_and_ends_at_its_limit(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "GAMES_AT_ONCE", 2)
    games = many.finished(7, alice, bob)
    assert len(rows(log_in(alice))) == 7
    monkeypatch.setattr(file, "MOST_EXPORTED", 4)
    assert [row["game"][-11:-1] for row in rows(log_in(alice))] == [game.slug for game in games[:2:-1]]


def test_files_are_for_oneself_and_not_without_end(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.people.history.FILES_AN_HOUR", 1)
    client = log_in(alice)
    answer = client.get("/history/games.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="games.csv"'
    assert client.get("/history/games.json").status_code == 429
    assert Client().get("/history/games.csv").status_code == 302


def test_the_page_links_both_files_with_its_filters(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob)
    text = log_in(alice).get("/history/?result=lost").content.decode()
    assert 'href="/history/games.csv?result=lost"' in text
    assert 'href="/history/games.json?result=lost"' in text


@pytest.mark.parametrize("query", ["", "?opponent=bob"])
@pytest.mark.parametrize("address", ["/history/games.csv", "/history/games.json"])
def test_each_part_of_a_file_costs_the_same_and_is_read_when_it_is_sent(
    address: str, query: str, alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "GAMES_AT_ONCE", 3)
    many.finished(9, alice, bob)
    client, made = log_in(alice), []
    with CaptureQueriesContext(connections["default"]) as queries:
        answer = client.get(address + query)
        before, lines = len(queries), file._line

        def noted(*values: Any) -> file.HistoryLine:
            made.append(len(queries) - before)
            return lines(*values)

        monkeypatch.setattr(file, "_line", noted)
        parts = read_parts(answer)
    # By the first line of a lot its queries have been made, and none of the next lot's.
    cost = made[0]
    assert made == [cost] * 3 + [2 * cost] * 3 + [3 * cost] * 3
    assert all(part.count(b"bob") >= 3 for part in parts[:3])


def test_a_compressed_file_is_one_whole(alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file, "GAMES_AT_ONCE", 2)
    many.finished(5, alice, bob)
    answer: Any = log_in(alice).get("/history/games.csv", headers={"Accept-Encoding": "gzip, br"})
    assert (answer["Content-Encoding"], "Accept-Encoding" in answer["Vary"]) == ("gzip", True)
    inflating = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    text = inflating.decompress(b"".join(read_parts(answer)))
    # Not every browser reads a second file after the end of the first.
    assert (inflating.eof, inflating.unused_data, text.count(b"bob")) == (True, b"", 5)


def test_a_file_that_breaks_off_is_not_taken_for_whole(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    many.finished(3, alice, bob)

    def fail(*_anything: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(file, "_line", fail)
    client = log_in(alice)
    assert read(client, "/history/games.csv").rstrip() == "This file is not complete. Download it again."
    with pytest.raises(json.JSONDecodeError):
        json.loads(read(client, "/history/games.json"))


@pytest.mark.django_db(transaction=True)
def test_no_connection_waits_while_a_part_is_on_its_way(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "GAMES_AT_ONCE", 2)
    many.finished(6, alice, bob)
    happened: list[str] = []
    kind: Any = type(connections["default"])
    connect, close = kind.connect, kind._close

    def connected(self: Any) -> None:
        happened.append("open")
        connect(self)

    def closed(self: Any) -> None:
        happened.append("close")
        close(self)

    client = log_in(alice)
    monkeypatch.setattr(kind, "connect", connected)
    monkeypatch.setattr(kind, "_close", closed)
    cookie = client.cookies["sessionid"].value.encode()
    sent = asyncio.run(_download("/history/games.csv", cookie, happened))
    assert b"".join(sent).count(b"bob") == 6
    assert [happened[number - 1] for number, name in enumerate(happened) if name == "part"] == ["close"] * 4
    assert happened.count("open") == happened.count("close")


async def _download(path: str, cookie: bytes, happened: list[str]) -> list[bytes]:
    """Return the parts of a file as the site sends them, and note when each is there."""
    headers = [(b"host", b"testserver"), (b"cookie", b"sessionid=" + cookie)]
    scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": path, "query_string": b""}
    communicator: Any = ApplicationCommunicator

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        async def note(message: Any) -> None:
            if message["type"] == "http.response.body":
                happened.append("part")
            await send(message)

        await http(scope, receive, note)

    browser = communicator(noting, {**scope, "headers": headers})
    await browser.send_input({"type": "http.request"})
    sent = [await browser.receive_output(10)]
    while sent[-1]["type"] == "http.response.start" or sent[-1].get("more_body"):
        sent.append(await browser.receive_output(10))
    await browser.wait()
    return [message.get("body", b"") for message in sent[1:]]
