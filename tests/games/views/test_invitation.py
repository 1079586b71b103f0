"""An invitation link: it shows the table, and its button takes the seat."""

from django.test import Client

from accounts.models import User
from games.actions.cancel_game import cancel_game
from games.actions.join_game import join_game
from games.clock import TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.tables import LINK, ME, OPEN, fresh, invited, open_table


def link(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def test_the_link_shows_a_private_table_and_changes_nothing(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False, name="Family")
    client = Client()
    text = client.get(link(table)).content.decode()
    assert "Family" in text
    assert "alice invites you" in text
    assert "Take a seat" in text
    assert fresh(table).version == table.version
    assert User.objects.count() == 1


def test_the_button_seats_a_stranger_as_a_guest_and_starts_the_game(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    client = Client()
    answer = client.post(f"/games/{table.slug}/join/", {"token": table.invite_token})
    assert answer["Location"] == f"/games/{table.slug}/"
    assert fresh(table).status == "running"
    assert client.get(answer["Location"]).status_code == 200


def test_without_the_token_a_private_table_is_not_there(alice: User, mallory: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    assert log_in(mallory).post(f"/games/{table.slug}/join/", {"token": "x" * 22}).status_code == 404
    assert log_in(mallory).get("/join/" + "x" * 22 + "/").status_code == 404


def test_odd_tokens_are_not_found(db: None) -> None:
    for token in ("%00", "a" * 500, "%E2%82%AC", "%20"):
        assert Client().get(f"/join/{token}/").status_code == 404


def test_who_sits_there_already_is_sent_to_the_table(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK)
    assert log_in(alice).get(link(table))["Location"] == f"/games/{table.slug}/"


def test_a_link_that_comes_too_late_says_so(alice: User, bob: User) -> None:
    full, gone = open_table(alice, ME, LINK), open_table(alice, ME, LINK)
    join_game(bob, full.slug, token=full.invite_token)
    cancel_game(alice, gone.slug)
    assert "This game has already started." in Client().get(link(full)).content.decode()
    text = Client().get(link(gone)).content.decode()
    assert "This table was given up." in text
    assert "Take a seat" not in text


def test_players_share_the_link_and_strangers_do_not_get_it(alice: User, eve: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    assert link(table) in log_in(alice).get(f"/games/{table.slug}/").content.decode()
    assert table.invite_token not in log_in(eve).get(f"/games/{table.slug}/").content.decode()


def test_who_is_invited_by_name_may_accept_or_decline(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, invited("bob"), is_public=False)
    text = log_in(bob).get(f"/games/{table.slug}/").content.decode()
    assert "Accept" in text
    assert "Decline" in text
    assert log_in(bob).post(f"/games/{table.slug}/decline/")["Location"] == "/games/"
    assert fresh(table).status == "open"


def test_who_opened_the_table_may_cancel_it_and_a_guest_of_it_may_leave(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    join_game(bob, table.slug)
    assert "Leave the table" in log_in(bob).get(f"/games/{table.slug}/").content.decode()
    assert log_in(bob).post(f"/games/{table.slug}/leave/")["Location"] == "/games/"
    assert log_in(alice).post(f"/games/{table.slug}/cancel/")["Location"] == "/games/"
    assert fresh(table).status == "cancelled"


def test_whoever_is_invited_reads_that_there_are_no_hints(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, invited("bob"), LINK, allows_hints=False)
    for page in (Client().get(link(table)), log_in(bob).get(f"/games/{table.slug}/")):
        assert "No hints at this table." in page.content.decode()
    assert "No hints" not in Client().get(link(open_table(alice, ME, LINK))).content.decode()


def test_the_page_says_how_the_game_will_be_played(alice: User) -> None:
    table = open_table(alice, ME, LINK, declares_passes=True, is_public=False, time=TimeControl.days_a_move(2))
    text = Client().get(link(table)).content.decode()
    assert all(words in text for words in ("2 days a move", "each player presses Pass", "only the players may watch"))
