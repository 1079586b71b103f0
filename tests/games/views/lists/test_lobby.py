"""The lobby: the public tables with a seat free for anyone."""

from django.test import Client

from accounts.models import User
from games.actions.tables.join_game import join_game
from games.models import Game, Player
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import LINK, ME, OPEN, bot, invited, open_table
from tests.games.views.lists import many


def lobby(client: Client | None = None, query: str = "") -> str:
    return (client or Client()).get("/lobby/" + query).content.decode()


def test_an_open_table_shows_who_sits_there_and_how_it_is_played(alice: User) -> None:
    open_table(alice, ME, OPEN, bot(), OPEN, name="Come in", declares_passes=True)
    text = lobby()
    assert "Come in" in text
    assert "2 of 4 seats taken" in text
    assert "no time limit" in text
    assert "manual passes" in text


def test_the_lobby_says_where_hints_are_forbidden(alice: User) -> None:
    open_table(alice, ME, OPEN)
    assert "no hints" not in lobby()
    open_table(alice, ME, OPEN, allows_hints=False)
    assert lobby().count("no hints") == 1
    assert "suggest moves" not in lobby()
    open_table(alice, ME, OPEN, allows_advice=True, allows_explanations=True)
    assert lobby().count("an engine may suggest moves") == 1
    assert lobby().count("bots explain their moves") == 1


def test_private_full_and_link_tables_are_not_listed(alice: User, bob: User) -> None:
    open_table(alice, ME, OPEN, name="private", is_public=False)
    open_table(alice, ME, LINK, name="by link")
    open_table(alice, ME, invited("bob"), name="by name")
    join_game(bob, open_table(alice, ME, OPEN, name="full").slug)
    text = lobby()
    assert "No open tables" in text
    assert not any(name in text for name in ("private", "by link", "by name", "full"))


def test_the_lobby_shows_the_games_that_ended_lately(alice: User, bob: User) -> None:
    assert "Games that ended lately" not in lobby()
    ended, hidden = (many.finished(1, alice, bob, is_featured=shown)[0] for shown in (True, False))
    assert "Games that ended lately" in lobby()
    assert f"/games/{ended.slug}/" in lobby()
    assert f"/games/{hidden.slug}/" not in lobby()


def test_an_open_table_says_about_how_long_a_game_takes(alice: User) -> None:
    open_table(alice, ME, OPEN, variant="duo")
    assert "takes about 5 weeks" in lobby()


def test_running_public_games_can_be_watched_but_not_my_own(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game, hidden = (many.running(1, alice, bob, is_featured=shown)[0] for shown in (True, False))
    assert f"/games/{game.slug}/" in lobby()
    assert f"/games/{game.slug}/" in lobby(log_in(carol))
    assert f"/games/{hidden.slug}/" not in lobby()
    assert "Games to watch" not in lobby(log_in(alice))


def test_my_own_table_has_no_join_button(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    assert f"/games/{table.slug}/join/" in lobby()
    text = lobby(log_in(alice))
    assert f"/games/{table.slug}/join/" not in text
    assert "you have a seat" in text


def test_my_own_table_is_opened_from_the_lobby(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, name="Come in")
    page = read(log_in(alice).get("/lobby/"))
    buttons = [link for link in page.find_all("a", class_="button") if "Come in" in link.text]
    assert [link["href"] for link in buttons] == [f"/games/{table.slug}/"]
    assert "Go to the table" in buttons[0].text
    assert "Go to the table" not in lobby()


def test_my_own_table_without_a_name_is_mine_on_every_page(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    for address in ("/lobby/", "/games/", f"/games/{table.slug}/"):
        page = read(log_in(alice).get(address)).text
        assert "Your table" in page
        assert "alice's table" not in page
    assert "alice's table" in read(Client().get("/lobby/")).text


def test_an_invited_player_is_asked_to_accept_in_the_lobby(alice: User, bob: User, log_in: LogIn) -> None:
    open_table(alice, ME, invited("bob"), OPEN, name="Come in")
    page = lobby(log_in(bob))
    assert "you are invited" in page
    assert "Accept" in page
    assert "Join" not in page
    assert "you are invited" not in lobby()


def test_the_join_button_seats_a_stranger_as_a_guest(alice: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    answer = Client().post(f"/games/{table.slug}/join/")
    assert answer["Location"] == f"/accounts/name/?next=%2Fgames%2F{table.slug}%2F"
    seated = Player.objects.get(game=table, seat=1).user
    assert seated is not None
    assert seated.is_guest


def test_a_table_that_is_not_there_makes_no_guest(alice: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=False)
    for slug in (table.slug, "nosuchgame"):
        assert Client().post(f"/games/{slug}/join/").status_code == 404
    assert User.objects.count() == 1


def test_the_newest_table_comes_first_and_pages_lead_on(alice: User) -> None:
    tables = many.open_tables(30, alice)
    text = lobby()
    assert text.index(tables[29].slug) < text.index(tables[28].slug)
    assert (tables[6].slug in text, tables[5].slug in text) == (True, False)
    assert tables[5].slug in lobby(query="?page=2")


def test_the_title_of_a_table_is_text_whatever_it_says(alice: User) -> None:
    Game.objects.filter(pk=open_table(alice, ME, OPEN).pk).update(name="<script>x</script>")
    assert "<script>x" not in lobby()
