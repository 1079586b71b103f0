"""The pages about bots."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, Player
from games.pages.guide import bots as bot_pages
from games.roster import measured
from games.roster.entries import LADDER
from games.roster.offered import offered_bots
from games.words.ladder import LIKE, level_of
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import ME, OPEN, bot, count_again, open_table


def page(address: str, client: Client | None = None) -> Element:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200
    return read(answer)


def record(name: str) -> list[str]:
    """Return the games, wins, ties, losses and, if any, wins of others that a bot's page tells, nothing without one."""
    (section,) = page(f"/bots/{name}/").find_all("section", aria_labelledby="record")
    return [each.text for each in section.find_all("dd")]


def finished(creator: User, *winners: int, bots: tuple[str, ...] = ("greedy",)) -> Game:
    """Return a finished game of its creator and bots, won by these seats."""
    game = open_table(creator, ME, *map(bot, bots))
    clear = {"turn_colour": "", "turn_seat": None, "turn_since": None, "deadline": None}
    Game.objects.filter(pk=game.pk).update(status="finished", finished_at=game.started_at, **clear)
    Player.objects.filter(game=game, seat__in=winners).update(is_winner=True)
    count_again()
    return game


def test_the_ladder_leads_to_every_bot_from_the_weakest_on(bots: None) -> None:
    links = [link["href"] for link in page("/bots/").find(id="main").find_all("a", class_="rung__bot")]
    assert sorted(links) == sorted(f"/bots/{name}/" for name in offered_bots())
    assert links[:2] == ["/bots/random/", "/bots/greedy/"]
    assert links.index("/bots/mason-3/") < links.index("/bots/sage-5/")


def test_a_link_that_is_heard_by_itself_says_the_level_too(bots: None) -> None:
    for link in page("/bots/").find(id="main").find_all("a", class_="rung__bot"):
        assert link["aria-label"] == page(link["href"]).find("h1").text
        assert link["aria-label"].startswith(link.text)


def test_the_ladder_says_what_characters_there_are(bots: None) -> None:
    told = [term.text for term in page("/bots/").find(class_="characters").find_all("dt")]
    assert told == ["Sage", "Mason", "Warden", "Hermit"]


def test_every_bot_has_a_page(bots: None) -> None:
    for name in offered_bots():
        assert page(f"/bots/{name}/").find("h1").text


def test_a_bots_page_begins_with_what_it_is_like_to_play_against_it(bots: None) -> None:
    likes: dict[str, set[int | None]] = {}
    for name, offered in offered_bots().items():
        first = page(f"/bots/{name}/").find(id="main").find_all(class_="card")[0].find_all("p")[0].text
        assert not re.search(r"simulat|engine|search|\d", first)
        likes.setdefault(first, set()).add(level_of(offered))
    # A sentence for each level, and no level without its own.
    levels = {level_of(offered) for offered in offered_bots().values()}
    assert sorted(map(list, likes.values())) == sorted([level] for level in levels)
    assert LIKE.keys() == {level.number for level in LADDER}


@pytest.mark.parametrize(("address", "talk"), [("/bots/", "simulated games"), ("/bots/sage-5/", "Engine")])
def test_how_bots_think_is_folded_away(bots: None, address: str, talk: str) -> None:
    main = page(address).find(id="main")
    (folded,) = main.find_all("details")
    assert "open" not in folded.attributes
    assert talk in folded.text
    assert main.text.count(talk) == folded.text.count(talk)


@pytest.mark.parametrize("name", ["skynet", "mason-77", "é", "x" * 500])
def test_a_bot_that_there_is_not_has_none(name: str, db: None) -> None:
    answer = Client().get(f"/bots/{name}/")
    assert (answer.status_code, "There is no such bot." in answer.content.decode()) == (404, True)


def test_the_record_counts_each_finished_game_with_people_once(alice: User, bob: User) -> None:
    assert record("greedy") == []
    finished(alice, 1)
    finished(alice, 2, bots=("greedy", "greedy"))
    finished(alice, 0, 1)
    finished(alice, 0)
    finished(bob, 2, bots=("greedy", "random"))
    open_table(alice, bot("greedy"), bot("greedy"))
    open_table(alice, ME, bot("greedy"), OPEN)
    assert record("greedy") == ["5", "2", "1", "1", "1"]
    assert record("random") == ["1", "1", "0", "0"]


def test_a_game_that_another_bot_won_is_not_lost_against_people(alice: User) -> None:
    finished(alice, 2, bots=("greedy", "random"))
    (section,) = page("/bots/greedy/").find_all("section", aria_labelledby="record")
    told = {term.text: count.text for term, count in zip(section.find_all("dt"), section.find_all("dd"), strict=True)}
    assert told == {"Games": "1", "Won": "0", "Tied": "0", "Lost": "0", "Won by another bot": "1"}


def measure(patch: pytest.MonkeyPatch, file: Path) -> None:
    """Have the strengths in this file be those that were measured."""
    patch.setattr(measured, "RATINGS", file)
    patch.setattr(bot_pages, "measured_bots", measured.measured_bots.__wrapped__)


def test_measured_ratings_are_shown_where_there_are_any(
    bots: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ratings.json"
    rating = {"rating": 1234, "low": -5, "high": 1300, "games": 200}
    file.write_text(json.dumps({"duo": {"sage-5": rating}, "gone": {"sage-5": rating}}))
    measure(monkeypatch, file)
    (row,) = page("/bots/sage-5/").find("tbody").find_all("tr")
    cells = [row.find("th").text, *(cell.text for cell in row.find_all("td"))]
    assert cells == ["Duo, 2 players", "1234", "\N{MINUS SIGN}5 and 1300", "200"]
    assert not page("/bots/sage-3/").find_all("table")
    measure(monkeypatch, tmp_path / "none.json")
    assert not page("/bots/sage-5/").find_all("table")


def test_the_bot_that_others_are_measured_against_is_said_to_be_fixed(
    bots: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ratings.json"
    fixed, rating = {"rating": 1000, "low": 1000, "high": 1000}, {"rating": 1234, "low": 1100, "high": 1300}
    told = {"greedy": {**fixed, "games": 200}, "sage-5": {**rating, "games": 200}}
    file.write_text(json.dumps({"duo": told}))
    measure(monkeypatch, file)
    anchor, other = (page(f"/bots/{name}/").find("section", aria_labelledby="ratings") for name in told)
    assert [head.text for head in anchor.find_all("th")] == ["Board", "Rating", "Games", "Duo, 2 players"]
    assert "This bot is the reference" in anchor.text
    assert "95 times out of 100" not in anchor.text
    assert "The true difference from it lies between these bounds" in other.text


def test_a_bots_page_leads_to_a_table_with_it(bots: None, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    (link,) = [link for link in page("/bots/mason-5/").find_all("a") if link.text == "Choose a board"]
    form = page(link["href"], client)
    chosen = {
        select["name"]: [option["value"] for option in select.find_all("option") if "selected" in option.attributes]
        for select in form.find_all("select")
    }
    assert [chosen[f"seat-1{part}"] for part in ("", "-strength", "-character")] == [["bot"], ["5"], ["mason"]]
    (play,) = page("/bots/mason-5/").find(id="main").find_all("input", name="bot")
    assert play["value"] == "mason-5"


@pytest.mark.parametrize("state", ["open", "running", "finished"])
def test_a_bots_name_at_a_table_is_a_link(state: str, alice: User, log_in: LogIn) -> None:
    games = {
        "open": lambda: open_table(alice, ME, bot("greedy"), OPEN),
        "running": lambda: open_table(alice, ME, bot("greedy")),
        "finished": lambda: finished(alice, 1),
    }
    game = games[state]()
    client = log_in(alice)
    assert page(f"/games/{game.slug}/", client).find_all("a", href="/bots/greedy/")
    Player.objects.filter(game=game, bot="greedy").update(bot="skynet-7")
    text = client.get(f"/games/{game.slug}/").content.decode()
    assert "skynet-7 bot" in text
    assert "/bots/" not in text.replace("/play-bots/", "")


def test_a_level_is_a_number_where_there_is_no_room(bots: None, alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("mason-5"))
    (name,) = page(f"/games/{game.slug}/", log_in(alice)).find_all("a", class_="player__name")
    assert name.find("span", class_="player__short").text == "Mason 5"
    assert name.find("span", class_="player__long").text == "Mason, level 5"


def test_the_form_of_a_new_table_leads_to_the_bots(alice: User, log_in: LogIn) -> None:
    assert page("/games/new/", log_in(alice)).find_all("a", href="/bots/")
