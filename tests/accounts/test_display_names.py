"""The name that others see: two letters are enough, and spaces allowed; the name to log in with is another matter."""

import pytest
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client

from accounts import names
from accounts.models import User
from tests.accounts.conftest import PASSWORD, logged_in, who

#: As people write themselves.
WRITTEN = ["Al", "Éloïse M", "Fanny & Co", "O'Neil", "Jean-Luc P.5", "Al & Bo & Cy"]


def rename(client: Client, name: str) -> str:
    return client.post("/accounts/name/", {"username": name}, follow=True).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", WRITTEN)
def test_people_sign_up_with_the_name_they_go_by_and_are_found_by_it(name: str) -> None:
    browser = Client()
    browser.post("/accounts/signup/", {"username": f"  {name} ", "password1": PASSWORD})
    assert who(browser).username == name
    answer = Client().get(f"/players/{name}/")
    assert answer.status_code == 200
    assert who(logged_in(name.upper())).username == name


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/accounts/signup/", "/accounts/name/", "/accounts/claim/"])
def test_the_rule_is_said_before_the_field(page: str, as_guest: Client) -> None:
    html = (Client() if "signup" in page else as_guest).get(page).content.decode()
    assert -1 < html.find("2 to 20 letters, digits or spaces") < html.find('name="username"')


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "second"), [("Fanny & Co", "fanny-co"), ("Fanny & Co", "FannyCo"), ("Al", "A1"), ("Éloïse M", "Eloise.m")]
)
def test_a_name_that_looks_like_another_is_refused(first: str, second: str) -> None:
    User.objects.create_user(first)
    html = Client().post("/accounts/signup/", {"username": second, "password1": PASSWORD}).content.decode()
    assert "too similar to one that is" in html
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["A", "Al  Bo", "& Co", "Al &", "Al && Bo", "Al - Bo", "Al, Bo", "Al/Bo", "Al?", "a" * 21]
)
def test_a_name_out_of_form_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        names.check(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Sage", "sage-5", "Sage 5", "5age", "Sage level 3", "Sage niveau 3", "sages", "warden", "Wardens", "Savant"),
        *("Gardien", "Macon", "mason_9", "Hasard", "Glouton", "greedy-2", "random", "hermit", "Ermite"),
        *("admins", "Admin 2", "Adm1n-1", "Moderators", "modérateur", "Staff", "staff 4", "Équipe", "Support"),
        *("Admin Team", "Support-Fr", "Block You", "blockyou team", "Robot 7", "bots", "Invité", "invites"),
    ],
)
def test_names_of_bots_and_of_who_runs_the_site_are_kept(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.check(name)
    assert refusal.value.code == "reserved"


@pytest.mark.parametrize("name", ["Alice 2", "Blue 42", "Sagesse", "Mason B", "Admina", "Modest", "Hosta", "Me & You"])
def test_names_that_only_begin_so_are_free(name: str) -> None:
    names.check(name)


@pytest.mark.django_db
def test_who_was_called_so_before_keeps_the_name_and_logs_in() -> None:
    User.objects.create_user("sage-5", password=PASSWORD)
    browser = logged_in("sage-5")
    assert who(browser).username == "sage-5"
    rename(browser, "sage-5")
    assert who(browser).username == "sage-5"


def test_a_member_is_called_otherwise_and_logs_in_as_before(as_alice: Client, alice: User) -> None:
    rename(as_alice, "Fanny & Co")
    alice.refresh_from_db()
    assert (alice.username, alice.login_name) == ("Fanny & Co", "alice")
    assert "You can still log in as alice" in " ".join(as_alice.get("/accounts/").content.decode().split())
    for login in ("alice", "ALICE", "fanny & co"):
        assert who(logged_in(login)) == alice
    rename(as_alice, "Al")
    assert who(logged_in("alice")).username == "Al"


def test_links_to_the_former_name_lead_to_the_present_one(as_alice: Client) -> None:
    rename(as_alice, "Fanny & Co")
    answer = Client().get("/players/Alice/")
    assert answer.headers["Location"] == "/players/Fanny%20&%20Co/"
    assert "Fanny &amp; Co" in Client().get(answer.headers["Location"]).content.decode()


def test_the_name_to_log_in_with_is_given_to_no_one_else(as_alice: Client, as_guest: Client) -> None:
    rename(as_alice, "Al")
    for page in ("/accounts/name/", "/accounts/claim/"):
        html = as_guest.post(page, {"username": "A1ice", "password1": PASSWORD}).content.decode()
        assert "too similar to one that is" in html
    assert (
        "too similar"
        in Client().post("/accounts/signup/", {"username": "alice", "password1": PASSWORD}).content.decode()
    )
    rename(as_alice, "Alice")
    assert who(as_alice).username == "Alice"


def test_a_member_changes_the_name_three_times_a_day(as_alice: Client) -> None:
    for name in ("Anna", "Berta", "Clara", "Dora"):
        answer = as_alice.post("/accounts/name/", {"username": name})
    assert answer.status_code == 429
    assert who(as_alice).username == "Clara"


def test_a_closed_account_gives_both_names_back(as_alice: Client) -> None:
    rename(as_alice, "Al")
    as_alice.post("/accounts/delete/", {"password": PASSWORD})
    assert not User.objects.filter(login_name__isnull=False).exists()
    for name in ("alice", "Al"):
        browser = Client()
        browser.post("/accounts/signup/", {"username": name, "password1": PASSWORD})
        assert who(browser).username == name


def test_a_mail_writes_the_name_as_it_is(mailing: None, as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    rename(as_alice, "Fanny & Co")
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    as_alice.post("/accounts/email/", {"email": "fanny@example.org", "action_add": ""})
    assert any("Fanny & Co entered this address" in each.body for each in mailoutbox)
