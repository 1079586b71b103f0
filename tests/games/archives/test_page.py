"""The page on which people take their data along, and the file itself: its owner's alone."""

from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.archives.making import make_archive_file
from games.models import Archive, ArchivePart
from games.table.counting import FILES_AN_HOUR
from tests.conftest import PASSWORD, LogIn

pytestmark = pytest.mark.django_db
PAGE, FILE = "/data/", "/data/archive.zip"


@pytest.fixture
def browser(alice: User, log_in: LogIn) -> Client:
    """Return alice's browser just after she has given her password."""
    alice.set_password(PASSWORD)
    alice.save()
    client = log_in(alice)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def shown(client: Client) -> str:
    return client.get(PAGE).content.decode()


def made(client: Client) -> Client:
    client.post(PAGE)
    make()
    return client


def make() -> None:
    """Do the job that waits."""
    (archive,) = Archive.objects.filter(due_at__isnull=False)
    assert make_archive_file(archive.pk, archive.tries, now=timezone.now())


def test_it_is_asked_for_made_announced_and_fetched(browser: Client) -> None:
    assert "Make the file" in shown(browser)
    asked = browser.post(PAGE, follow=True)
    assert "Your file is being made." in asked.content.decode()
    make()
    assert "The file with your data is ready" in browser.get("/").content.decode()
    assert "Download" in shown(browser)
    assert "The file with your data is ready" not in browser.get("/").content.decode()
    answer: Any = browser.get(FILE)
    content = answer.getvalue()
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert (answer["Cache-Control"], int(answer["Content-Length"])) == ("private, no-store", len(content))
    assert answer["Content-Disposition"].startswith('attachment; filename="block-you-')
    assert "manifest.json" in ZipFile(BytesIO(content)).namelist()


def test_asking_twice_on_one_day_is_refused_on_the_page(browser: Client) -> None:
    made(browser)
    again = browser.post(PAGE)
    assert again.status_code == 429
    assert int(again["Retry-After"]) > 3600
    assert "You can ask for your data once a day." in again.content.decode()
    assert Archive.objects.count() == 1


def test_a_double_tap_asks_once(browser: Client) -> None:
    assert [browser.post(PAGE).status_code for _ in range(2)] == [302, 429]
    assert Archive.objects.count() == 1


def test_without_a_file_there_is_none_to_fetch(browser: Client) -> None:
    assert browser.get(FILE).status_code == 404
    browser.post(PAGE)
    assert browser.get(FILE).status_code == 404


def test_after_its_day_it_is_not_sent_any_more(browser: Client) -> None:
    made(browser)
    archive = Archive.objects.get()
    assert archive.made_at is not None
    Archive.objects.update(made_at=archive.made_at - timedelta(days=1, seconds=1))
    assert browser.get(FILE).status_code == 404
    assert "Download" not in shown(browser)


def test_others_fetch_their_own_or_nothing(browser: Client, bob: User, log_in: LogIn) -> None:
    made(browser)
    assert log_in(bob).get(FILE, follow=True).status_code in (200, 404)
    assert Client().get(FILE).status_code == 302
    assert not Archive.objects.filter(user=bob).exists()


def test_who_logged_in_long_ago_gives_the_password_again(browser: Client) -> None:
    made(browser)
    session = browser.session
    for method in session["account_authentication_methods"]:
        method["at"] -= 3600
    session.save()
    answer = browser.get(FILE)
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/reauthenticate/?next=%2Fdata%2Farchive.zip")


def test_a_guest_fetches_theirs(client: Client) -> None:
    client.post("/play-bots/")
    guest = User.objects.get(is_guest=True)
    made(client)
    assert Archive.objects.get().user == guest
    assert "asked for your password" not in shown(client)
    assert client.get(FILE).status_code == 200


def test_how_often_it_is_fetched_is_limited(browser: Client) -> None:
    made(browser)
    for _ in range(FILES_AN_HOUR):
        assert browser.head(FILE).status_code == 200
    assert browser.get(FILE).status_code == 429
    cache.clear()
    assert browser.get(FILE).status_code == 200


def test_one_that_goes_while_it_is_sent_ends_short(browser: Client) -> None:
    made(browser)
    answer: Any = browser.get(FILE)
    ArchivePart.objects.all().delete()
    assert answer.getvalue() == b""
    assert int(answer["Content-Length"]) > 0


def test_one_that_has_failed_says_so_and_can_be_asked_for_again(browser: Client) -> None:
    browser.post(PAGE)
    Archive.objects.update(due_at=None)
    page = shown(browser)
    assert "Your file could not be made. Ask for it again." in page
    assert "Make the file" in page
    assert browser.post(PAGE).status_code == 302


def test_the_page_is_in_french_too(browser: Client) -> None:
    User.objects.update(language="fr")
    assert "Préparer le fichier" in shown(browser)
    made(browser)
    assert "Télécharger" in shown(browser)


def test_the_pages_of_accounts_and_privacy_lead_there(browser: Client) -> None:
    for page in ("/accounts/", "/privacy/"):
        assert f'href="{PAGE}"' in browser.get(page).content.decode()
