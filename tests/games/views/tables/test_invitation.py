"""An invitation link: it shows the table, and its button takes the seat."""

import re

import zxingcpp
from django.test import Client
from PIL import Image

from accounts.models import User
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.clock import TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import LINK, ME, OPEN, bot, fresh, invited, open_table


def link(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def test_the_link_shows_a_private_table_and_changes_nothing(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False, name="Family")
    client = Client()
    text = client.get(link(table)).content.decode()
    assert "Family" in text
    assert "alice</a> invites you" in text
    assert "Take a seat" in text
    assert fresh(table).version == table.version
    assert User.objects.count() == 1


def test_a_stranger_reads_what_kind_of_game_it_is_and_a_member_does_not(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    told = [client.get(link(table)).content.decode() for client in (Client(), log_in(bob))]
    assert ["Block-You is a board game: place your pieces" in text for text in told] == [True, False]


def test_the_button_seats_a_stranger_as_a_guest_and_starts_the_game(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    client = Client()
    answer = client.post(f"/games/{table.slug}/join/", {"token": table.invite_token, "name": ""})
    assert answer["Location"] == f"/games/{table.slug}/"
    assert fresh(table).status == "running"
    assert client.get(answer["Location"]).status_code == 200


def test_a_stranger_says_a_name_with_the_button(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    assert "What should we call you?" in Client().get(link(table)).content.decode()
    Client().post(f"/games/{table.slug}/join/", {"token": table.invite_token, "name": "Berta"})
    assert User.objects.get(is_guest=True).username == "Berta"


def test_who_has_an_account_logs_in_and_is_back(alice: User, log_in: LogIn, bob: User) -> None:
    path = link(open_table(alice, ME, LINK, is_public=False))
    assert f'href="/accounts/login/?next={path}"' in Client().get(path).content.decode()
    assert "Already have an account?" not in log_in(bob).get(path).content.decode()


def test_a_name_that_cannot_be_takes_the_seat_and_is_asked_for_again(alice: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    client = Client()
    answer = client.post(f"/games/{table.slug}/join/", {"token": table.invite_token, "name": "Alice"})
    assert fresh(table).status == "running"
    page = client.get(answer["Location"]).content.decode()
    assert "This name is taken" in page
    assert 'value="Alice"' in page
    assert f'href="/games/{table.slug}/"' in page


def test_a_stranger_who_takes_a_seat_elsewhere_is_asked_for_a_name_on_the_way(alice: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    answer = Client().post(f"/games/{table.slug}/join/")
    assert answer["Location"] == f"/accounts/name/?next=%2Fgames%2F{table.slug}%2F"


def test_a_guest_who_has_a_name_is_asked_for_none(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK)
    guest = User.objects.create(username="Berta", is_guest=True)
    assert "What should we call you?" not in log_in(guest).get(link(table)).content.decode()


def test_without_the_token_a_private_table_is_not_there(alice: User, mallory: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    assert log_in(mallory).post(f"/games/{table.slug}/join/", {"token": "x" * 22}).status_code == 404
    assert log_in(mallory).get("/join/" + "x" * 22 + "/").status_code == 404


def test_a_player_who_is_invited_reads_so_and_others_that_no_answer_has_come(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, invited("bob"), OPEN)
    pages = {user.username: log_in(user).get(f"/games/{table.slug}/").content.decode() for user in (bob, carol)}
    assert "kept for you" in pages["bob"]
    assert "has not answered yet" not in pages["bob"]
    assert "has not answered yet" in pages["carol"]


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
    assert "This table was cancelled." in text
    assert "Take a seat" not in text


def test_a_link_that_comes_too_late_leads_to_the_game_where_it_can_be_watched(alice: User, bob: User) -> None:
    table = open_table(alice, ME, LINK)
    join_game(bob, table.slug, token=table.invite_token)
    page = read(Client().get(link(table)))
    assert "You can watch" in page.text
    assert [each.text for each in page.find_all("a", href=f"/games/{table.slug}/")] == ["Watch"]


def test_a_private_game_that_is_full_says_what_can_be_done_instead(alice: User, bob: User) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    join_game(bob, table.slug, token=table.invite_token)
    page = read(Client().get(link(table)))
    assert "only the players can watch. Ask alice for a link to another table" in page.text
    assert page.find_all("a", href=f"/games/{table.slug}/") == []
    assert page.find_all("a", class_="button", href="/games/new/")


def test_a_link_to_seats_that_are_kept_for_others_says_so(alice: User, bob: User) -> None:
    text = Client().get(link(open_table(alice, ME, invited("bob")))).content.decode()
    assert "The free seats are kept for players invited by name." in text
    assert "Take a seat" not in text


def test_where_the_host_has_set_the_seats_the_free_ones_are_to_choose_from(alice: User) -> None:
    table = open_table(alice, ME, LINK, LINK, colours=("green", "blue", "red"))
    page, client = read(Client().get(link(table))), Client()
    choices = [each for each in page.find_all("input", name="colour") if "disabled" not in each.attributes]
    assert [each["value"] for each in choices] == ["", "blue", "red"]
    client.post(f"/games/{table.slug}/join/", {"token": table.invite_token, "colour": "red"})
    assert [player.user_id is None for player in table.players.order_by("seat")] == [False, True, False]


def test_nothing_is_chosen_at_random_seats_or_with_one_seat_left(alice: User) -> None:
    for table in (open_table(alice, ME, LINK, LINK, LINK, is_shuffled=True), open_table(alice, ME, LINK)):
        assert read(Client().get(link(table))).find_all("input", name="colour") == []


def test_names_at_a_table_lead_to_people_and_bots(alice: User, bob: User) -> None:
    page = read(Client().get(link(open_table(alice, ME, bot(), invited("bob"), LINK))))
    assert {"/players/alice/", "/bots/random/", "/players/bob/"} <= {each["href"] for each in page.find_all("a")}


def test_the_picture_of_the_link_reads_as_the_link(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, LINK)
    page = read(log_in(alice).get(f"/games/{table.slug}/"))
    # A phone folds the same picture.
    folded, picture = page.find_all("svg", role="img", aria_label="QR code of the invitation link")
    assert folded.find("use")["href"] == f"#{picture.find('g')['id']}"
    assert [each.text for each in zxingcpp.read_barcodes(drawn(picture))] == [f"http://testserver{link(table)}"]
    assert page.find(id="invite")["value"] == f"http://testserver{link(table)}"


def drawn(picture: Element) -> Image.Image:
    """Return a QR code as a camera sees it, eight pixels a module."""
    size = int(picture["viewbox"].split()[2])
    image = Image.new("L", (8 * size, 8 * size), 255)
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", picture.find("path")["d"]):
        left, top = 8 * int(x), 8 * int(y)
        image.paste(0, (left, top, left + 8 * int(width), top + 8))
    return image


def test_players_share_the_link_and_strangers_do_not_get_it(alice: User, eve: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    assert link(table) in log_in(alice).get(f"/games/{table.slug}/").content.decode()
    stranger = log_in(eve).get(f"/games/{table.slug}/").content.decode()
    assert table.invite_token not in stranger
    assert "QR code" not in stranger


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
    assert "No engine suggests moves" in Client().get(link(open_table(alice, ME, LINK))).content.decode()


def test_the_page_says_how_the_game_will_be_played(alice: User) -> None:
    table = open_table(alice, ME, LINK, declares_passes=True, is_public=False, time=TimeControl.days_a_move(2))
    text = Client().get(link(table)).content.decode()
    assert all(
        words in text for words in ("2 days a move", "Players press Pass themselves.", "Only the players can watch.")
    )
