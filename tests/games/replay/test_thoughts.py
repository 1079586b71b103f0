"""What bots thought at their moves is told in the replay, once the game is over."""

import json

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.bots.turns import play_turn
from games.models import Game, Move, Thought
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import ME, bot, fresh, open_table, play_out
from tests.games.views.conftest import QueryCount, query_count
from tests.games.views.records import fetched, opened

__all__ = ["query_count"]


def replay(game: Game, client: Client | None = None) -> Element:
    return read((client or Client()).get(f"/games/{game.slug}/replay/"))


def told(game: Game) -> list[str]:
    return [each.text for each in replay(game).find_all("span", class_="move__thought")]


def finish(game: Game) -> Game:
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    return fresh(game)


def think(game: Game, number: int, **thought: object) -> None:
    move = Move.objects.get(game=game, number=number)
    Thought.objects.update_or_create(move=move, defaults={"engine": "search", "level": 5, **thought})


@pytest.mark.parametrize(
    ("thought", "line"),
    [
        (
            {"simulations": 1667, "milliseconds": 4321, "value": 0.625},
            "tree search · level 5 · 1,667 simulated games · 4.3\u00a0s · win chance 62%",
        ),
        ({"engine": "greedy", "level": 1, "milliseconds": 7}, "greedy · level 1 · 7\u00a0ms"),
        ({"engine": "fallback"}, "instead of the bot, which failed · level 5 · 0\u00a0ms"),
        ({"engine": "another"}, "another · level 5 · 0\u00a0ms"),
    ],
)
def test_a_thought_is_one_line_below_its_move(thought: dict[str, object], line: str, alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(game, turns=2)
    think(game, 2, **{"simulations": 0, "milliseconds": 0, "value": None, **thought})
    resign(alice, game.slug)
    assert told(game) == [line]


def test_the_file_of_a_game_that_is_over_has_its_thoughts_and_brings_them_back(alice: User, log_in: LogIn) -> None:
    game, browser = finish(open_table(alice, bot("greedy"), bot("greedy"), variant="duo")), log_in(alice)
    reasons = [["opens", "", 3], ["keeps", "", 0]]
    think(game, 1, simulations=667, milliseconds=9, value=0.625, reasons=reasons)
    text = fetched(browser, game, "json")
    kept = json.loads(text)["thoughts"]
    placed = game.moves.filter(kind="place").values_list("number", flat=True)
    assert sorted(map(int, kept)) == sorted(placed)
    thought = {"engine": "search", "level": 5, "simulations": 667, "milliseconds": 9, "value": 0.625}
    assert kept["1"] == {**thought, "reasons": reasons}
    assert json.loads(text)["bots"] == {"0": {"name": "greedy", "seed": 1}, "1": {"name": "greedy", "seed": 1}}
    study = opened(browser, text)
    assert fetched(browser, study, "json") == text
    lines = read(browser.get(f"/studies/{study.slug}/")).find_all("span", class_="move__thought")
    assert [line.text for line in lines] == told(game)


def test_the_file_of_a_running_game_tells_none_where_the_bots_explain_nothing_yet(alice: User) -> None:
    game = open_table(alice, bot("greedy"), bot("greedy"), variant="duo", allows_explanations=False)
    play_turn(game.pk, 1)
    assert Thought.objects.exists()
    assert {"thoughts", "bots"}.isdisjoint(json.loads(fetched(Client(), game, "json")))


def test_nothing_is_told_while_the_game_goes_on_where_the_table_does_not_allow_it(alice: User) -> None:
    game = open_table(alice, bot("greedy"), bot("greedy"), allows_explanations=False)
    play_turn(game.pk, 1)
    assert told(game) == []
    assert "What the bots thought" not in replay(game).text


def test_what_is_told_at_the_end_is_told_during_the_game_where_the_table_allows_it(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo", allows_explanations=True)
    play_out(game, turns=2)
    think(game, 2, milliseconds=7, reasons=[["opens", "", 3], ["keeps", "", 0]])
    before = told(game)
    assert before == [
        "Opens 3 new corners for itself. Closes none of its own corners. tree search · level 5 · 7\u00a0ms"
    ]
    resign(alice, game.slug)
    assert told(game) == before


def test_a_move_kept_without_reasons_is_told_without(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(game, turns=2)
    think(game, 2, milliseconds=7, reasons=None)
    assert told(game) == ["tree search · level 5 · 7\u00a0ms"]


def test_reasons_in_a_record_that_this_site_does_not_know_are_not_told(alice: User, log_in: LogIn) -> None:
    game, browser = finish(open_table(alice, bot("greedy"), bot("greedy"), variant="duo")), log_in(alice)
    data = json.loads(fetched(browser, game, "json"))
    data["thoughts"] = {"1": {"engine": "greedy", "reasons": [["sings", "blue", 2], ["opens", "", 1]]}}
    study = opened(browser, json.dumps(data))
    lines = read(browser.get(f"/studies/{study.slug}/")).find_all("span", class_="move__thought")
    assert [line.text for line in lines] == ["Opens 1 new corner for itself. greedy · level 0 · 0\u00a0ms"]


def test_every_placement_of_a_bot_has_its_thought_under_one_heading(alice: User) -> None:
    game = finish(open_table(alice, bot("greedy", 1), bot("random", 2), variant="duo"))
    assert len(told(game)) == game.moves.filter(kind="place").count()
    assert [each.text for each in replay(game).find_all("summary")].count("What the bots thought") == 1


def test_a_game_of_bots_is_repeated_from_its_replay(alice: User, log_in: LogIn) -> None:
    game = finish(open_table(alice, bot("greedy", 5), bot("random", 2**63 - 1), variant="codingame-2:9:7"))
    client = log_in(alice)
    (link,) = [link for link in replay(game).find_all("a") if link.text == "Repeat this game"]
    form = read(client.get(link["href"])).find("form", class_="create")
    sent = {field["name"]: field["value"] for field in form.find_all("input") if field.attributes.get("value")}
    kept = {
        name: value for name, value in sent.items() if name in ("variant", "size", "seed") or name.endswith("-seed")
    }
    assert kept == {
        "variant": "codingame-2",
        "size": "9",
        "seed": "7",
        "seat-0-seed": "5",
        "seat-1-seed": str(2**63 - 1),
    }
    seats = {f"seat-{seat}": "bot" for seat in (0, 1)} | {"seat-0-strength": "greedy", "seat-1-strength": "random"}
    rest = {"days": "3", "is_public": "yes", "passes": "automatic", "scoring": game.scoring}
    client.post("/games/new/", {**kept, **seats, **rest})
    again = finish(Game.objects.latest("pk"))
    assert again.pk != game.pk
    assert [move.placement for move in again.moves.all()] == [move.placement for move in game.moves.all()]


def test_a_game_with_people_cannot_be_repeated(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(game, turns=2)
    think(game, 2)
    resign(alice, game.slug)
    assert "Repeat this game" not in replay(game).text


def test_thoughts_cost_one_query_however_many_they_are(alice: User, query_count: QueryCount) -> None:
    short, long = (open_table(alice, ME, bot("greedy"), variant="duo") for _ in range(2))
    for game, turns in ((short, 2), (long, 20)):
        play_out(game, turns=turns)
        for move in game.moves.exclude(bot=""):
            think(game, move.number)
        resign(alice, game.slug)
    costs = {query_count(Client(), f"/games/{game.slug}/replay/") for game in (short, long)}
    assert costs == {4}
