"""Choosing a colour on the pages of a table that waits: radio buttons, taken ones with their names, asked again."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.tables.join_game import join_game
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import LINK, ME, OPEN, fresh, invited, open_table
from tests.games.views.conftest import QueryCount

THREE = ("blue", "yellow", "red")


@pytest.fixture
def table(alice: User) -> Game:
    return open_table(alice, ME, LINK, LINK, lets_choose=True, is_public=False)


def link(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def radios(page: Element) -> dict[str, str]:
    """Return each colour to choose, with what is true of its button."""
    found = page.find_all("input", type="radio", name="colour")
    return {each["value"]: " ".join({"checked", "disabled"} & set(each.attributes)) for each in found}


def labels(page: Element) -> list[str]:
    return [" ".join(each.text.split()) for each in page.find_all("label", class_="choice")]


def test_a_stranger_with_the_link_chooses_among_what_is_free_and_reads_who_has_the_rest(table: Game) -> None:
    page = read(Client().get(link(table)))
    assert radios(page) == {"": "checked", "blue": "disabled", "yellow": "", "red": "", "green": ""}
    assert page.find("legend").text == "Choose your colour"
    assert [text.split()[0] for text in labels(page)] == ["No", "Blue", "Yellow", "Red", "Green"]
    assert labels(page)[1] == "Blue lower left, a1 · taken by alice"


def test_the_choice_is_taken_with_the_seat(table: Game) -> None:
    client = Client()
    sent = {"token": table.invite_token, "name": "Berta", "colour": "green"}
    assert client.post(f"/games/{table.slug}/join/", sent)["Location"] == f"/games/{table.slug}/"
    assert fresh(table).colours == ["blue", "green", "red"]
    assert radios(read(client.get(f"/games/{table.slug}/"))) == {
        "blue": "disabled", "yellow": "", "red": "", "green": "checked"
    }  # fmt: skip


def test_without_a_preference_the_seat_is_the_best_there_is(table: Game) -> None:
    Client().post(f"/games/{table.slug}/join/", {"token": table.invite_token, "name": "Berta", "colour": ""})
    assert table.players.get(seat=1).user


def test_one_who_is_too_late_for_a_colour_is_asked_again(table: Game, bob: User, carol: User, log_in: LogIn) -> None:
    join_game(bob, table.slug, colour="red", token=table.invite_token)
    before = fresh(table).version
    sent = {"token": table.invite_token, "colour": "red"}
    answer = log_in(carol).post(f"/games/{table.slug}/join/", sent)
    page = read(answer)
    assert (answer.status_code, answer["X-Error-Code"], fresh(table).version) == (409, "seat-taken", before)
    assert "Another player has just chosen this." in page.find(role="alert").text
    assert radios(page) == {"": "checked", "blue": "disabled", "yellow": "", "red": "disabled", "green": ""}
    assert "Red upper left, a20 · taken by bob" in labels(page)


def test_in_the_lobby_too_one_who_is_too_late_is_asked_again(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, OPEN, OPEN, lets_choose=True)
    join_game(bob, table.slug, colour="red")
    answer = log_in(carol).post(f"/games/{table.slug}/join/", {"colour": "red"})
    assert answer.status_code == 409
    assert radios(read(answer))["red"] == "disabled"


def test_one_who_sits_changes_and_is_asked_again_where_another_was_quicker(
    table: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    join_game(bob, table.slug, colour="red", token=table.invite_token)
    client, path = log_in(alice), f"/games/{table.slug}/seat/"
    assert client.post(path, {"colour": "green"})["Location"] == f"/games/{table.slug}/"
    for colour, status in (("red", 409), ("", 400), ("purple", 400)):
        answer = client.post(path, {"colour": colour})
        assert answer.status_code == status
        assert read(answer).find(role="alert").text
    assert fresh(table).colours[0] == "green"


def test_the_table_in_words_offers_the_same(table: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{table.slug}/mode/", {"spoken": "yes"})
    assert list(radios(read(client.get(f"/games/{table.slug}/")))) == [*THREE, "green"]
    assert client.post(f"/games/{table.slug}/seat/", {"colour": "blue"}).status_code == 302


def test_two_colours_are_chosen_together(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).get(f"/games/{open_table(alice, ME, LINK, lets_choose=True).slug}/")).find(id="game")
    assert page.find("legend").text == "Choose your colours"
    assert [text.partition(" lower")[0] for text in labels(page)] == ["Blue and Red", "Yellow and Green"]


def test_a_shared_colour_is_no_choice(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, OPEN, lets_choose=True, variant="classic-3")
    assert list(radios(read(log_in(alice).get(f"/games/{table.slug}/")))) == list(THREE)


def test_who_only_looks_or_waits_at_set_seats_has_nothing_to_choose(alice: User, eve: User, log_in: LogIn) -> None:
    kept = open_table(alice, ME, invited("eve"), lets_choose=True)
    drawn, agreed = (open_table(alice, ME, OPEN, OPEN, is_shuffled=is_shuffled) for is_shuffled in (True, False))
    assert radios(read(Client().get(f"/games/{kept.slug}/"))) == {}
    for table in (drawn, agreed):
        assert radios(read(log_in(alice).get(f"/games/{table.slug}/"))) == {}
    assert radios(read(log_in(eve).get(f"/games/{drawn.slug}/"))) == {}


def test_lists_lead_to_the_table_where_there_is_a_choice(alice: User, bob: User, log_in: LogIn) -> None:
    offered, last = open_table(alice, ME, OPEN, OPEN, lets_choose=True), open_table(alice, ME, OPEN, lets_choose=True)
    asked = open_table(alice, ME, invited("bob"), OPEN, lets_choose=True, is_public=False)
    client = log_in(bob)
    text, mine = client.get("/lobby/").content.decode(), client.get("/games/").content.decode()
    assert f'action="/games/{offered.slug}/join/"' not in text
    assert f'action="/games/{last.slug}/join/"' in text
    assert f'action="/games/{asked.slug}/join/"' not in mine
    assert f'href="/games/{asked.slug}/"' in mine


def test_a_choice_costs_the_page_no_query(alice: User, log_in: LogIn, query_count: QueryCount) -> None:
    tables = [open_table(alice, ME, OPEN, OPEN, lets_choose=lets_choose) for lets_choose in (False, True)]
    for user in (alice, None):
        client = log_in(user) if user else Client()
        costs = [query_count(client, f"/games/{table.slug}/") for table in tables]
        assert costs[0] == costs[1]


def test_the_form_of_a_new_table_begins_with_choosing_for_three_and_drawing_for_two(alice: User, log_in: LogIn) -> None:
    for variant, usual in (("blockyou-3", "choose"), ("blockyou-2", "draw")):
        page = read(log_in(alice).get(f"/games/new/?variant={variant}"))
        found = page.find_all("input", type="radio", name="dealing")
        assert [each["value"] for each in found if "checked" in each.attributes] == [usual]


def test_the_host_reads_on_the_page_of_changes_whether_players_choose(
    table: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    join_game(bob, table.slug, token=table.invite_token)
    path = f"/games/{table.slug}/edit/"
    form = log_in(alice).get(path).context["form"]
    assert form.initial["dealing"] == "choose"
    log_in(alice).post(path, {**form.initial, "dealing": "set"})
    assert "The colours now stay as they are." in log_in(bob).get(f"/games/{table.slug}/").content.decode()


def test_choices_are_limited(table: Game, alice: User, log_in: LogIn) -> None:
    client, path = log_in(alice), f"/games/{table.slug}/seat/"
    answers = [client.post(path, {"colour": "blue"}).status_code for _ in range(121)]
    assert (answers[119], answers[120]) == (302, 429)
