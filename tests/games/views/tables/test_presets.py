"""Opening a table with one tap, and what the page of a new table remembers of the last one."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.base.setup import SeatSetup
from games.clock import DAY, TimeControl
from games.errors import BadRequest
from games.forms.presets import preset_setup
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import LINK, ME, OPEN, bot, invited, open_table

PAGE = "/games/new/"


def seats(game: Game) -> list[str]:
    return sorted("me" if player.user else "bot" if player.bot else player.access for player in game.players.all())


def chosen(page: Element, name: str) -> list[str]:
    """Return what is chosen in a field of the form: of a list or of a row of buttons."""
    options = [each for select in page.find_all("select", name=name) for each in select.find_all("option")]
    picked = [each for each in options if "selected" in each.attributes]
    return [each["value"] for each in picked or page.find_all("input", name=name) if is_on(each)]


def is_on(element: Element) -> bool:
    return bool({"selected", "checked"} & element.attributes.keys())


def terms(page: Element) -> list[str]:
    return [each.find(class_="second").text for each in page.find_all("button", name="preset", class_="preset")]


@pytest.mark.parametrize(
    ("key", "variant", "who", "status", "is_public"),
    [
        ("friend", "blockyou-2", ["link", "me"], "open", False),
        ("friends-3", "blockyou-3", ["link", "link", "me"], "open", False),
        ("friends-4", "blockyou-4", ["link", "link", "link", "me"], "open", False),
        ("bots", "blockyou-4", ["bot", "bot", "bot", "me"], "running", False),
        ("anyone", "blockyou-2", ["me", "open"], "open", True),
    ],
)
def test_a_stranger_opens_a_table_with_one_tap(
    key: str, variant: str, who: list[str], status: str, is_public: bool, db: None
) -> None:
    answer = Client().post(PAGE, {"preset": key})
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert (game.variant, seats(game), game.status, game.is_public) == (variant, who, status, is_public)
    assert game.creator.is_guest
    assert game.allows_advice is (key == "bots")


@pytest.mark.parametrize("players", [3, 4])
def test_a_table_for_three_or_four_friends_is_one_tap_from_the_first_page(players: int, db: None) -> None:
    visitor = Client()
    door = read(visitor.get("/")).find("button", name="players", value=str(players))
    assert door.text == f"{players} players"
    assert visitor.post("/play-friend/", {"players": players}, follow=True).status_code == 200
    game = Game.objects.get()
    assert (game.variant, seats(game)) == (f"blockyou-{players}", [*["link"] * (players - 1), "me"])
    assert visitor.post("/play-friend/", {"players": "5"}).status_code == 400


@pytest.mark.parametrize(("last", "players", "variant"), [("trigon-2", 3, "trigon-3"), ("duo", 4, "blockyou-4")])
def test_more_friends_play_on_the_last_board_where_it_seats_so_many(last: str, players: int, variant: str) -> None:
    assert preset_setup(f"friends-{players}", {"variant": last}, "").variant == variant
    assert preset_setup(f"friends-{players}", {"variant": "duo", "asked": last}, "").variant == variant


def test_there_are_no_other_presets(alice: User, log_in: LogIn) -> None:
    assert log_in(alice).post(PAGE, {"preset": "everything"}).status_code == 400
    with pytest.raises(BadRequest):
        preset_setup("", {}, "")
    assert not Game.objects.exists()


def test_the_presets_take_the_last_board_the_last_pace_and_the_last_bots(alice: User, log_in: LogIn) -> None:
    assert terms(read(log_in(alice).get(PAGE)))[0] == "Block-You, 2 players · about a move a day"
    open_table(alice, ME, OPEN, bot("greedy"), variant="trigon-3", time=TimeControl.days_a_move(7))
    _again, friend, bots, _anyone = terms(read(log_in(alice).get(PAGE)))
    assert friend == "Trigon, 2 players · 7 days a move"
    assert bots.startswith("Trigon, 4 players · level ")
    log_in(alice).post(PAGE, {"preset": "friend"})
    game = Game.objects.latest("pk")
    assert (game.variant, game.time_initial) == ("trigon-2", 7 * DAY)


def again(page: Element) -> list[str]:
    """Return what the button that opens the last table again says, nothing without one."""
    found = [button.find(class_="preset__words") for button in page.find_all("button", name="preset", value="again")]
    return [part.text for words in found for part in (words.find("strong"), *words.find_all("span")[1:])]


def test_a_new_game_begins_with_the_last_table_which_one_tap_opens_again(alice: User, bob: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert again(read(client.get(PAGE))) == []
    settings: dict[str, Any] = {"time": TimeControl.days_a_move(7), "is_public": False, "declares_passes": True}
    last = open_table(alice, ME, invited("bob"), bot("greedy"), variant="trigon-3", is_shuffled=False, **settings)
    told = ["As last time", "With bob · Greedy bot", "Trigon, 3 players · 7 days a move"]
    page = read(client.get(PAGE))
    assert again(page) == told
    assert page.find("button", name="preset", value="again")
    client.post(PAGE, {"preset": "again"})
    game = Game.objects.latest("pk")
    assert game.pk != last.pk
    terms = ("variant", "scoring", "time_initial", "time_increment", "time_cap", "is_public", "declares_passes")
    people = ("allows_takebacks", "allows_texts", "allows_hints", "lets_choose", "is_shuffled", "is_rated")
    assert [getattr(game, name) for name in terms + people] == [getattr(last, name) for name in terms + people]
    assert [(player.access, player.bot) for player in game.players.all()] == [
        (player.access, player.bot) for player in last.players.all()
    ]
    assert game.players.get(invitee=bob)


def test_bots_are_played_again_without_a_clock_as_the_last_time(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(PAGE, {"preset": "bots"})
    assert again(read(client.get(PAGE)))[2].startswith("Block-You, 4 players · no ")
    client.post(PAGE, {"preset": "again"})
    assert list(Game.objects.values_list("time_initial", "variant")) == [(None, "blockyou-4")] * 2


def test_a_table_whose_guest_is_gone_is_not_offered_again(alice: User, bob: User, log_in: LogIn) -> None:
    open_table(alice, ME, invited("bob"))
    User.objects.filter(pk=bob.pk).update(is_active=False)
    client = log_in(alice)
    assert again(read(client.get(PAGE))) == []
    # A page that was loaded before leads to the form, with nothing opened.
    assert client.post(PAGE, {"preset": "again"}).status_code == 302
    assert Game.objects.count() == 1


def test_a_game_that_began_at_a_position_is_not_offered_again(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN, variant="duo")
    Game.objects.filter(pk=game.pk).update(given_moves=2)
    assert again(read(log_in(alice).get(PAGE))) == []


def test_what_is_asked_for_itself_is_not_what_there_was_last_time(alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, variant="duo")
    assert again(read(log_in(alice).get(f"{PAGE}?variant=trigon-3"))) == []


def test_a_board_of_a_chosen_size_keeps_the_size_and_draws_new_pieces(alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, variant="codingame-2:11:5")
    log_in(alice).post(PAGE, {"preset": "anyone"})
    assert Game.objects.latest("pk").variant.startswith("codingame-2:11:")


def test_the_form_begins_with_what_was_chosen_last_on_any_device(alice: User, bob: User, log_in: LogIn) -> None:
    settings: dict[str, Any] = {"declares_passes": True, "is_public": False, "allows_advice": True}
    open_table(alice, ME, LINK, invited("bob"), bot("greedy"), is_shuffled=True, **settings)
    page = read(log_in(alice).get(PAGE))
    kinds = [chosen(page, f"seat-{number}") for number in range(4)]
    assert (kinds[0], kinds[3], sorted(kinds[1:3])) == (["me"], ["bot"], [["link"], ["named"]])
    assert [chosen(page, name) for name in ("passes", "is_public", "hints")] == [["declared"], ["usual"], ["yes"]]
    assert any(page.find("input", name=f"seat-{number}-name").attributes.get("value") == "bob" for number in (1, 2))


@pytest.mark.parametrize(
    ("seat", "is_public", "begins_with"),
    [(OPEN, True, "usual"), (OPEN, False, "no"), (LINK, True, "yes"), (LINK, False, "usual")],
)
def test_only_an_unusual_choice_of_who_can_watch_is_remembered(
    seat: SeatSetup, is_public: bool, begins_with: str, alice: User, log_in: LogIn
) -> None:
    open_table(alice, ME, seat, is_public=is_public)
    assert chosen(read(log_in(alice).get(PAGE)), "is_public") == [begins_with]


def test_a_game_against_bots_alone_changes_nothing_that_concerns_people(alice: User, log_in: LogIn) -> None:
    log_in(alice).post(PAGE, {"preset": "bots"})
    page = read(log_in(alice).get(PAGE))
    assert [chosen(page, name) for name in ("time", "is_public")] == [["normal"], ["usual"]]


def test_what_the_address_asks_for_comes_before_what_was_chosen_last(alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, variant="duo")
    page = read(log_in(alice).get(f"{PAGE}?variant=blockyou-3"))
    assert page.find("input", name="variant")["value"] == "blockyou-3"
    assert "open" in page.find("details", class_="create__custom").attributes


def test_a_board_in_the_address_is_the_one_that_the_presets_open(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    open_table(alice, ME, OPEN, variant="trigon-2")
    page = read(client.get(f"{PAGE}?variant=duo"))
    assert [line.partition(" ·")[0] for line in terms(page)] == ["Duo, 2 players"] * 3
    board = page.find("form", class_="presets").find("input", name="board")["value"]
    client.post(PAGE, {"preset": "anyone", "board": board})
    client.post(PAGE, {"preset": "anyone", "board": "no-such-board"})
    # A rated table on Duo is Freestyle: the pieces that open it follow the board's name.
    boards = [game.variant.partition(":")[0] for game in Game.objects.order_by("pk")]
    assert boards == ["trigon-2", "duo", "duo"]


@pytest.mark.parametrize("variant", ["blockyou-4", "blockyou-3", "blockyou-2"])
def test_a_number_of_players_in_the_address_is_that_of_every_preset(variant: str, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    page = read(client.get(f"{PAGE}?variant={variant}"))
    assert [line.partition(" ·")[0] for line in terms(page)] == [f"Block-You, {variant[-1]} players"] * 3
    board = page.find("form", class_="presets").find("input", name="board")["value"]
    client.post(PAGE, {"preset": "friend", "board": board})
    assert Game.objects.get().variant == variant


@pytest.mark.parametrize(("cookie", "last", "level"), [("", "", "3"), ("5", "", "5"), ("5", "mason-4", "4")])
def test_the_first_page_and_that_of_a_new_game_begin_with_bots_of_one_level(
    cookie: str, last: str, level: str, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    client.cookies["strength"] = cookie
    open_table(alice, ME, OPEN, *([bot(last)] if last else [OPEN]), variant="blockyou-3")
    page = read(client.get(PAGE))
    assert chosen(read(client.get("/")), "strength") == [level]
    assert {option for seat in range(3) for option in chosen(page, f"seat-{seat}-strength")} == {level}
    assert f"level {level}" in terms(page)[2]


def test_the_rest_is_closed_until_it_is_asked_for(alice: User, log_in: LogIn) -> None:
    assert "open" not in read(log_in(alice).get(PAGE)).find("details", class_="create__custom").attributes


def test_home_says_how_long_the_lobby_lists_a_table_of_anyone(db: None) -> None:
    assert "The lobby lists your table until it is full." in read(Client().get("/games/new/")).text
