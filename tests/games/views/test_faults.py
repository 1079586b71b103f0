"""What a form says that could not be sent: at its top, in its title, and at the field."""

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.views.tables.test_create import filled


def summary(page: Element) -> Element:
    found = page.find(class_="faults")
    assert {"autofocus", "tabindex"} <= found.attributes.keys()
    assert found["role"] == "alert"
    return found


def test_a_misspelt_name_is_told_at_the_top_with_a_link_to_its_field(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).post("/games/new/", filled("me", "named") | {"seat-1-name": "nobody"}))
    assert page.find("title").text.startswith("Error: New game")
    assert "There is no player named nobody." in summary(page).text
    field = page.find("input", name="seat-1-name")
    assert summary(page).find("a")["href"] == f"#{field['id']}"
    assert field["aria-invalid"] == "true"
    assert "There is no player named nobody." in page.find(id=field["aria-describedby"]).text


def test_a_row_of_buttons_is_reached_at_its_first(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).post("/games/new/", filled("me", "open", days="4")))
    assert summary(page).find("a")["href"] == "#id_days_0"
    assert page.find_all("input", id="id_days_0")


def test_what_is_wrong_with_the_whole_form_leads_to_no_field(alice: User, log_in: LogIn) -> None:
    page = read(log_in(alice).post("/games/new/", filled("me", "me")))
    assert "You can take only one seat." in summary(page).text
    assert summary(page).find_all("a") == []


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/accounts/login/", {"login": "alice", "password": "wrong"}),
        ("/accounts/signup/", {"username": "", "password1": "x"}),
        ("/accounts/preferences/", {"theme": "plaid"}),
        ("/accounts/password/change/", {"oldpassword": "wrong"}),
        ("/studies/", {"text": "no record"}),
    ],
)
def test_every_form_says_it_in_the_same_way(path: str, fields: dict[str, str], alice: User, log_in: LogIn) -> None:
    client = log_in(alice) if path not in ("/accounts/login/", "/accounts/signup/") else Client()
    page = read(client.post(path, fields))
    assert page.find("title").text.startswith("Error: ")
    assert all(each.text for each in summary(page).find_all("li"))


def test_a_form_without_faults_says_nothing_of_them(db: None) -> None:
    page = read(Client().get("/accounts/login/"))
    assert page.find_all(class_="faults") == []
    assert not page.find("title").text.startswith("Error")
