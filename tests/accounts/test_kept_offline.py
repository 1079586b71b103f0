"""What a browser keeps for reading offline belongs to one login: every page says whose it is."""

import pytest
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in

pytestmark = pytest.mark.django_db


def test_pages_of_one_person_carry_one_label_on_every_device_and_those_of_another_person_another_one(
    alice: User, bob: User
) -> None:
    desk, phone, other = (logged_in(user.username).get("/rules/")["X-Login"] for user in (alice, alice, bob))
    assert desk == phone != other
    assert len(desk) == 16
    assert str(alice.pk) != desk


def test_a_page_for_nobody_says_so_and_still_does_not_depend_on_the_cookie(client: Client) -> None:
    answer = client.get("/rules/")
    assert answer["X-Login"] == "none"
    assert 'data-login=""' in answer.content.decode()


def test_scripts_find_the_same_label_in_the_page(as_alice: Client) -> None:
    answer = as_alice.get("/rules/")
    assert f'data-login="{answer["X-Login"]}"' in answer.content.decode()


@pytest.mark.parametrize("path", ["/games/waiting/", "/service-worker.js", "/history/games.csv", "/device/"])
def test_parts_and_files_carry_no_label(as_alice: Client, path: str) -> None:
    assert "X-Login" not in as_alice.get(path, headers={"HX-Request": "true"})


def test_logging_out_leaves_nothing_in_the_browser(as_alice: Client) -> None:
    answer = as_alice.post("/accounts/logout/")
    assert answer["Clear-Site-Data"] == '"cache", "storage"'
    assert "Clear-Site-Data" not in as_alice.get("/")


def test_a_closed_account_leaves_nothing_in_the_browser(as_alice: Client) -> None:
    answer = as_alice.post("/accounts/delete/", {"password": PASSWORD})
    assert answer["Clear-Site-Data"] == '"cache", "storage"'


def test_a_login_and_a_page_of_a_login_clear_nothing(client: Client, alice: User) -> None:
    answer = client.post("/accounts/login/", {"login": alice.username, "password": PASSWORD})
    assert answer.status_code == 302
    assert "Clear-Site-Data" not in answer
    assert "Clear-Site-Data" not in client.get("/games/")
