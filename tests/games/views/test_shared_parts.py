"""B18: who watch a game of everybody's without a login get one part of its page, drawn once; nobody gets another's."""

import gzip
import random
import threading
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game
from games.views.crowds.shared_parts import SHARED_SECONDS, PartCache, SharedPart, draw_for_nobody, parts
from games.views.play import play
from tests.conftest import logged_in
from tests.games.tables import ME, OPEN, advance, open_table, running

pytestmark = pytest.mark.django_db

PART = SharedPart('W/"x"', b"plain", b"packed")


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob, is_public=True)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the tags of what is drawn for everybody from here on."""
    parts.clear()
    seen: list[str] = []

    def draw(like: HttpRequest, template: str, tag: str, **values: object) -> SharedPart | None:
        seen.append(tag)
        return draw_for_nobody(like, template, tag, **values)

    monkeypatch.setattr(play, "draw_for_nobody", draw)
    return seen


def board(game: Game, client: Client | None = None, query: str = "", headers: dict[str, str] | None = None) -> Any:
    return (client or Client()).get(f"/games/{game.slug}/board/{query}", headers=headers or {})


def headers_of(answer: Any) -> dict[str, Any]:
    return {**answer.headers, "Vary": set(answer["Vary"].split(", "))}


def test_watchers_without_a_login_get_equal_bytes_that_are_drawn_once(game: Game, drawn: list[str]) -> None:
    answers = [board(game, query="?since=3") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert [answers[0]["ETag"]] == drawn


def test_what_is_shared_is_what_each_would_be_shown_alone(game: Game, drawn: list[str]) -> None:
    """With the secret of a link in the address nothing is shared, even where it opens nothing."""
    shared, alone = board(game, query="?since=1"), board(game, query="?since=1&token=nothing")
    assert len(drawn) == 1
    assert shared.content == alone.content
    assert headers_of(shared) == headers_of(alone)


def test_links_in_a_finished_game_lead_to_the_site_as_it_was_asked(
    game: Game, alice: User, drawn: list[str], settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "other.example"]
    resign(alice, game.slug)
    shared, alone = board(game), board(game, query="?token=nothing")
    assert shared.content == alone.content
    assert f"http://testserver/games/{game.slug}/" in shared.content.decode()
    assert f"http://other.example/games/{game.slug}/" in board(game, headers={"Host": "other.example"}).content.decode()
    assert board(game).content == shared.content
    assert len(drawn) == 2


def test_a_move_is_seen_at_once(game: Game, drawn: list[str]) -> None:
    before = board(game)
    advance(game, random.Random(1))
    after = board(game)
    assert before["ETag"] != after["ETag"]
    assert before.content != after.content
    assert len(drawn) == 2


def test_each_language_has_its_own(game: Game, drawn: list[str]) -> None:
    english, french = board(game), board(game, headers={"Accept-Language": "fr"})
    assert english.content != french.content
    assert (english["Content-Language"], french["Content-Language"]) == ("en", "fr")
    assert [board(game).content, board(game, headers={"Accept-Language": "fr"}).content] == [
        english.content,
        french.content,
    ]
    assert len(drawn) == 2


def test_a_time_zone_and_what_was_shown_before_have_their_own(game: Game, drawn: list[str]) -> None:
    client = Client()
    client.cookies["zone"] = "Asia/Tokyo"
    board(game)
    board(game, client)
    board(game, query="?since=1")
    assert len(drawn) == 3


def test_nobody_with_a_login_is_given_what_is_shared_or_shares_what_is_theirs(
    game: Game, drawn: list[str], alice: User, eve: User
) -> None:
    for user in (alice, eve):
        assert f'data-socket="/ws/games/{game.slug}/"' in board(game, logged_in(user)).content.decode()
    assert drawn == []
    stranger = board(game)
    assert b"resign" in board(game, logged_in(alice)).content
    assert b"resign" not in stranger.content
    assert board(game).content == stranger.content
    assert len(drawn) == 1


@pytest.mark.parametrize("query", ["?pausing=yes", "?say=board", "?piece=I5&from=3"])
def test_what_was_asked_for_by_one_is_not_shared(game: Game, drawn: list[str], query: str) -> None:
    assert board(game, query=query).status_code == 200
    assert drawn == []


def test_a_game_in_words_is_not_shared(game: Game, drawn: list[str]) -> None:
    client = Client()
    client.cookies["spoken"] = "yes"
    assert b'data-mode="words"' in board(game, client).content
    assert drawn == []


def test_a_game_that_is_no_longer_everybodys_is_refused_at_once(game: Game, drawn: list[str]) -> None:
    tag = board(game)["ETag"]
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert board(game).status_code == 404
    assert board(game, headers={"If-None-Match": tag}).status_code == 404
    Game.objects.filter(pk=game.pk).update(is_public=True)
    assert board(game)["ETag"] == tag
    assert drawn == [tag]


def test_a_private_game_and_a_table_that_waits_are_not_shared(
    alice: User, bob: User, drawn: list[str], client: Client
) -> None:
    private = running(alice, bob, is_public=False)
    assert board(private).status_code == 404
    assert board(private, query=f"?token={private.invite_token}").status_code == 200
    assert board(open_table(alice, ME, OPEN, is_public=True)).status_code == 200
    assert drawn == []


def test_who_has_the_part_already_is_told_so_by_one_question(game: Game, drawn: list[str]) -> None:
    tag = board(game)["ETag"]
    with CaptureQueriesContext(connection) as asked:
        again = board(game, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert len(asked) == 1


def test_who_takes_it_packed_gets_the_same(game: Game, drawn: list[str]) -> None:
    plain, packed = board(game), board(game, headers={"Accept-Encoding": "br, gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] == plain["ETag"]
    for answer in (plain, packed):
        assert {"Accept-Encoding", "Cookie", "Accept-Language"} <= {name.strip() for name in answer["Vary"].split(",")}
        assert answer["Cache-Control"] == "private, no-cache"
        assert not answer.cookies
    assert len(drawn) == 1


def test_a_part_with_a_token_against_forgery_is_shared_with_nobody() -> None:
    assert draw_for_nobody(RequestFactory().get("/"), "games/board/_controls.html", "x", controls={}) is None


def test_many_who_ask_at_the_same_time_wait_for_the_one_who_has_it_drawn() -> None:
    cache = PartCache()
    drawn: list[int] = []
    got: list[SharedPart | None] = []

    def draw() -> SharedPart:
        drawn.append(1)
        for thread in others:
            thread.start()
        return PART

    def ask() -> None:
        got.append(cache.get("key", draw))

    others = [threading.Thread(target=ask) for _ in range(8)]
    ask()
    for thread in others:
        thread.join()
    assert (drawn, got) == ([1], [PART] * 9)


def test_a_part_that_could_not_be_drawn_is_drawn_by_the_next_who_asks() -> None:
    cache = PartCache()

    def fail() -> SharedPart:
        raise LookupError

    with pytest.raises(LookupError):
        cache.get("key", fail)
    assert cache.get("key", lambda: None) is None
    assert cache.get("key", lambda: PART) == PART


def test_parts_are_kept_for_a_moment_and_not_without_end() -> None:
    now = [0.0]
    cache = PartCache(most=3, clock=lambda: now[0])
    drawn: list[int] = []

    def ask(key: int) -> None:
        def draw() -> SharedPart:
            drawn.append(key)
            return PART

        cache.get(key, draw)

    for key in range(5):
        ask(key)
    assert len(cache) == 3
    ask(4)
    assert drawn == [0, 1, 2, 3, 4]
    now[0] += SHARED_SECONDS + 0.1
    ask(4)
    assert drawn[-1] == 4
    assert len(drawn) == 6
