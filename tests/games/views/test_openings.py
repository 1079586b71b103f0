"""The named openings where people see them: on the page of a game and its replay, and on pages of their own."""

import json

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.lines.entries import LINES
from games.models import Game, Player
from games.pages.guide import openings as opening_pages
from games.rules import Placement
from games.rules.variants import get_variant
from tests.conftest import LogIn
from tests.games.lines.made import BARASONA, from_any_start
from tests.games.play.pages import Element, read
from tests.games.streams import read_streamed
from tests.games.tables import NOON, begun, bot, fresh, open_table, play_out, running
from tests.games.views.records import opened as opened_record
from tests.plans import tables_read_whole

pytestmark = pytest.mark.django_db

#: FW by Purple, and nothing that has a name by Orange.
DUO = ["F:e8,f8,d9,e9,e10", "1:j5", "W:g6,g7,h7,h8,i8", "2:k4,l4"]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a running game of Duo that begins with FW."""
    return begun(running(alice, bob, variant="duo"), DUO)


def page(address: str, client: Client | None = None) -> Element:
    answer = (client or Client()).get(address)
    assert answer.status_code == 200
    return read(answer)


def opened(found: Element) -> list[tuple[str, str]]:
    """Return what a page says about openings, and where each sentence leads."""
    lines = [line for one in found.find_all("ul", class_="opened") for line in one.find_all("li")]
    return [(" ".join(line.text.split()).replace(" .", "."), line.find("a")["href"]) for line in lines]


FW = [("Purple opened with FW.", "/openings/fw/")]


def test_the_page_of_a_game_and_its_replay_name_the_opening(game: Game, alice: User, log_in: LogIn) -> None:
    assert opened(page(f"/games/{game.slug}/", log_in(alice))) == FW
    assert opened(page(f"/games/{game.slug}/replay/")) == FW
    # Also at a move before it.
    assert opened(page(f"/games/{game.slug}/replay/?move=1")) == FW


def test_the_page_in_words_names_the_opening(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    assert opened(page(f"/games/{game.slug}/", client)) == FW


def test_a_game_without_a_named_opening_says_nothing_of_openings(alice: User, bob: User) -> None:
    game = begun(running(alice, bob, variant="duo"), DUO[:2])
    assert opened(page(f"/games/{game.slug}/")) == []


def test_an_opening_that_was_left_says_how_far_it_was_followed(alice: User, bob: User) -> None:
    placed = from_any_start("blockyou-2", BARASONA)
    turns = [str(line[number]) for number in range(3) for line in placed.values()]
    game = begun(running(alice, bob), [*turns, "I5:h6,i6,j6,k6,l6", str(placed["yellow"][3])])
    assert opened(page(f"/games/{game.slug}/replay/")) == [
        ("Blue followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
        ("Yellow opened with Barasona.", "/openings/barasona/"),
        ("Red followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
        ("Green followed Barasona for 3 of its 4 pieces.", "/openings/barasona/"),
    ]


def test_the_list_shows_each_opening_in_a_close_up_that_holds_all_of_its_pieces() -> None:
    for picture, line in zip(page("/openings/").find_all("svg", class_="thumb"), LINES.values(), strict=True):
        left, top, width, height = map(float, picture["viewbox"].split())
        grid = get_variant(line.boards[0]).grid
        assert width == height < 2 * grid.width
        for text in line.example:
            for x, y in Placement.parse(text, get_variant(line.boards[0])).points:
                assert left <= 2 * x < left + width
                assert top <= 2 * (grid.height - 1 - y) < top + height


def test_the_list_leads_to_every_opening() -> None:
    links = [link["href"] for link in page("/openings/").find_all("a", class_="list__title")]
    assert links == [f"/openings/{key}/" for key in LINES]


@pytest.mark.parametrize("key", LINES)
def test_every_opening_has_a_page_with_its_line_and_its_sources(key: str) -> None:
    found, line = page(f"/openings/{key}/"), LINES[key]
    assert found.find("h1").text == line.name
    pieces = found.find("svg", class_="opening__board").find_all("path", class_="piece")
    assert len(pieces) == line.length == len(found.find("ol", class_="opening__placements").find_all("li"))
    sources = [link["href"] for link in found.find("ul", class_="opening__sources").find_all("a")]
    assert sources == [source.address for source in line.sources]


def test_an_opening_that_does_not_exist_has_no_page() -> None:
    answer = Client().get("/openings/no-such-opening/")
    assert answer.status_code == 404
    assert "There is no such opening." in answer.content.decode()


def test_the_pieces_are_said_in_order() -> None:
    assert "F, then X and W in either order, then N" in page("/openings/barasona/").text


def finished(game: Game, loser: User) -> Game:
    resign(loser, game.slug)
    return fresh(game)


def results(key: str) -> list[str]:
    (section,) = page(f"/openings/{key}/").find_all("section", aria_labelledby="record")
    return [each.text for each in section.find_all("dd")]


def test_the_page_says_how_the_opening_scored_and_who_played_it(game: Game, alice: User, bob: User) -> None:
    assert results("fw") == []
    finished(game, bob)
    finished(begun(running(bob, alice, variant="duo"), DUO), bob)
    assert results("fw") == ["2", "1", "0", "1"]
    found = page("/openings/fw/")
    players = found.find("dl", class_="opening__players").find_all("a")
    assert [(link.text, link["href"]) for link in players] == [("bob", "/players/bob/"), ("alice", "/players/alice/")]
    assert "played 2 times here" in page("/openings/").text
    assert "Times played" in found.text
    (games,) = found.find_all("section", aria_labelledby="games")
    assert games.text.count("began this way") == 2


def test_a_private_game_counts_and_is_not_shown(alice: User, bob: User) -> None:
    finished(begun(running(alice, bob, variant="duo", is_public=False), DUO), bob)
    assert results("fw") == ["1", "1", "0", "0"]
    assert page("/openings/fw/").find_all("section", aria_labelledby="games") == []


def test_a_game_that_two_people_opened_so_is_listed_once(alice: User, bob: User) -> None:
    placed = from_any_start("blockyou-2", BARASONA)
    turns = [str(line[number]) for number in range(3) for line in placed.values()]
    over = finished(begun(running(alice, bob), turns), bob)
    (section,) = page("/openings/barasona/").find_all("section", aria_labelledby="games")
    assert [link["href"] for link in section.find_all("a", class_="list__title")] == [f"/games/{over.slug}/"]
    assert results("barasona") == ["2", "1", "0", "1"]


def test_the_page_says_from_which_piece_on_an_opening_counts_if_it_need_not_be_whole(alice: User, bob: User) -> None:
    placed = from_any_start("blockyou-2", BARASONA)
    finished(begun(running(alice, bob), [str(line[number]) for number in range(3) for line in placed.values()]), bob)
    finished(begun(running(alice, bob, variant="duo"), DUO), bob)
    told = [page(f"/openings/{key}/").find(class_="opening__counted").text for key in ("barasona", "fw")]
    assert ["The opening counts once its first 3 pieces are placed." in each for each in told] == [True, False]


def test_only_the_latest_games_are_shown(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_pages, "LATEST_GAMES", 1)
    first, second = (finished(begun(running(alice, bob, variant="duo"), DUO), bob) for _ in range(2))
    Player.objects.filter(game=first).update(ended_at=NOON)
    (section,) = page("/openings/fw/").find_all("section", aria_labelledby="games")
    assert [link["href"] for link in section.find_all("a", class_="list__title")] == [f"/games/{second.slug}/"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("opening=fw", {"won", "lost", "private"}),
        ("opening=fw&result=won", {"won", "private"}),
        ("opening=fw&variant=duo", {"won", "lost", "private"}),
        ("opening=fw&variant=blockyou", set()),
        ("opening=fw&opponent=carol", {"lost"}),
        ("opening=fw&until=2000-01-02", set()),
        ("opening=xf", set()),
        ("opening=no-such-opening", {"won", "lost", "private", "other"}),
        ("opening=fw&who=bots", {"of-bots"}),
        ("opening=xf&who=bots", set()),
    ],
)
def test_history_is_narrowed_to_an_opening(
    query: str, expected: set[str], alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    finished(begun(running(alice, bob, variant="duo", name="won"), DUO), bob)
    finished(begun(running(alice, carol, variant="duo", name="lost"), DUO), alice)
    finished(begun(running(alice, bob, variant="duo", name="private", is_public=False), DUO), bob)
    finished(begun(running(bob, alice, variant="duo", name="other"), DUO), bob)
    bots = play_out(begun(open_table(alice, bot(), bot(), variant="duo", name="of-bots"), DUO))
    assert bots.is_of_bots
    client = log_in(alice)
    found = {link.text for link in page(f"/history/?{query}", client).find_all("a", class_="list__title")}
    assert found == expected
    rows = json.loads(read_streamed(client.get(f"/history/games.json?{query}")))["games"]
    assert {row["name"] for row in rows} == expected
    assert {row["opening"] for row in rows if row["name"] in ("won", "lost", "private")} <= {"fw"}


@pytest.mark.parametrize(
    "address", ["/openings/fw/", "/openings/", "/history/?opening=fw", "/history/?opening=fw&since=2020-01-01"]
)
def test_no_page_goes_through_all_games_for_an_opening(address: str, game: Game, alice: User, log_in: LogIn) -> None:
    finished(game, alice)
    client, tables = log_in(alice), ["games_game", "games_player", "games_move"]
    assert tables_read_whole(lambda: client.get(address), tables) == {}


def test_a_reader_of_french_reads_of_openings_in_french(game: Game) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    [(sentence, _address)] = opened(page(f"/games/{game.slug}/replay/", client))
    assert sentence.replace("\N{NO-BREAK SPACE}", " ") == "Ouverture de Violet : FW."
    assert "F, puis X et W dans n’importe quel ordre, puis N" in page("/openings/barasona/", client).text


def test_one_or_two_began_this_way_in_french(game: Game, bob: User) -> None:
    finished(game, bob)
    client = Client(headers={"Accept-Language": "fr"})
    assert "a commencé ainsi" in page("/openings/fw/", client).text
    Player.objects.filter(game=game).update(opening="fw")
    assert "ont commencé ainsi" in page("/openings/fw/", client).text


def test_a_record_that_is_opened_as_a_study_says_how_it_was_opened(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    lines = "(;GM[Blokus Duo];B[e8,f8,d9,e9,e10];W[j5];B[g6,g7,h7,h8,i8])"
    study = opened_record(client, lines)
    assert opened(page(f"/studies/{study.slug}/", client)) == FW


def test_the_board_of_an_opening_has_names_for_a_phone_too() -> None:
    few = page("/openings/barasona/").find("svg", class_="opening__board").find_all("text", class_="board__few")
    assert [text.text.strip() for text in few] == ["aejot", "15101520"]


@pytest.mark.parametrize("key", list(LINES))
def test_moves_are_tried_from_an_opening_on_the_board_of_a_study(alice: User, log_in: LogIn, key: str) -> None:
    client, line = log_in(alice), LINES[key]
    form = page(f"/openings/{key}/", client).find("form", action="/studies/")
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    there = client.post(form["action"], sent)["Location"]
    assert there.endswith("/board/")
    study, board = there.removesuffix("board/"), page(there, client)
    assert board.find("h1").text == line.name
    assert len(board.find_all("path", class_="piece")) == line.length
    to = f"{study}board/try/"
    slots = [each for each in board.find_all("button", class_="slot") if "aria-disabled" not in each.attributes]
    places = page(f"{study}board/?piece={slots[0]['value']}", client).find("ul", class_="branches__places")
    sent = {"placement": places.find_all("button")[0]["value"], "move": "0", "edition": "1"}
    placed = client.post(to, sent)
    assert placed["Location"] == f"{study}board/?branch=1&move=1"
