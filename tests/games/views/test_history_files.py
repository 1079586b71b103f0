"""The history as a file: what is filtered, for spreadsheets and for programs."""

import csv
import json
from io import StringIO
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.pages.history import file
from tests.conftest import LogIn
from tests.games.views import many


def read(client: Client, address: str) -> str:
    answer: Any = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


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


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t"])
def test_no_name_becomes_a_formula(begin: str, alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob, name=f'{begin}HYPERLINK("x")')
    assert rows(log_in(alice))[0]["name"] == f'\'{begin}HYPERLINK("x")'


def test_a_file_goes_on_past_one_lot_and_ends_at_its_limit(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "LOT", 2)
    games = many.finished(7, alice, bob)
    assert len(rows(log_in(alice))) == 7
    monkeypatch.setattr(file, "MOST", 4)
    assert [row["game"][-11:-1] for row in rows(log_in(alice))] == [game.slug for game in games[:2:-1]]


def test_files_are_for_oneself_and_not_without_end(alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.history.FILES_AN_HOUR", 1)
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
