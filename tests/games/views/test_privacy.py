"""The page about what the site keeps: it says what the code and this host's settings do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from blockyou.settings import base
from tests.accounts.conftest import guest_browser
from tests.accounts.provider import NAME, Provider, signed_on
from tests.accounts.provider import provider as provider
from tests.conftest import LogIn, person
from tests.games.play.pages import read

pytestmark = pytest.mark.django_db

KEPT = (
    "We keep what your account needs and what you play and write here, and pass none of it on unless you ask for it. "
    "Privacy"
)


def test_every_cookie_that_the_site_sets_is_explained(client: Client, settings: Settings) -> None:
    shown = {code.text for code in read(client.get("/privacy/")).find_all("code")}
    assert shown == {getattr(settings, name) for name in dir(base) if name.endswith("_COOKIE_NAME")} | {
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        settings.LANGUAGE_COOKIE_NAME,
    }


def test_the_host_says_who_runs_the_site_whom_to_ask_and_what_else_there_is_to_say(
    client: Client, settings: Settings
) -> None:
    assert "have not said here who they are" in read(client.get("/privacy/")).text
    settings.SITE_HOST, settings.SITE_CONTACT = "The club of <Corners>", "mailto:club@example.org"
    settings.PRIVACY_TEXT = ("Our proxy keeps addresses for a week.", "<script>alert(1)</script>")
    page = read(client.get("/privacy/"))
    assert "The club of <Corners>" in page.text
    assert page.find("a", href="mailto:club@example.org").text == "club@example.org"
    assert "<script>alert(1)</script>" in page.text


def test_what_depends_on_the_settings_is_said_only_where_it_is_so(client: Client, settings: Settings) -> None:
    settings.TALK_DAYS, settings.SENTRY_DSN = 7, "https://key@errors.example.org/1"
    text = " ".join(read(client.get("/privacy/")).text.split())
    assert "deleted 7 days after the end of the game" in text
    assert "see what failed" in text
    settings.TALK, settings.SENTRY_DSN, settings.ERROR_EMAIL = "off", "", ""
    text = " ".join(read(client.get("/privacy/")).text.split())
    assert "days after the end of the game" not in text
    assert "see what failed" not in text


def test_every_page_leads_there(client: Client, log_in: LogIn) -> None:
    for browser in (client, log_in(person("alice"))):
        for page in ("/", "/rules/", "/lobby/"):
            assert read(browser.get(page)).find("footer").find("a", href="/privacy/"), page


def test_wherever_one_signs_up_one_sentence_says_what_is_kept(client: Client, provider: Provider) -> None:
    guest = guest_browser()
    signed_on(provider, client)
    for browser, address in (
        (client, "/accounts/signup/"),
        (client, "/accounts/keys/passkeys/sign-up/"),
        (client, NAME),
        (guest, "/accounts/claim/"),
        (guest, "/accounts/keys/passkeys/sign-up/"),
    ):
        lines = read(browser.get(address)).find("main").find_all("p")
        (found,) = [" ".join(line.text.split()) for line in lines if line.find_all("a", href="/privacy/")]
        assert found == KEPT, address


def test_it_is_said_why_no_cookie_needs_consent_and_no_other_one_is_set(client: Client, log_in: LogIn) -> None:
    page = " ".join(read(client.get("/privacy/")).text.split())
    assert "Each of them is needed for something that you ask of the site, and none follows you anywhere." in page
    assert "So no consent is asked for." in page
    explained = {code.text for code in read(client.get("/privacy/")).find_all("code")}
    member = log_in(person("alice"))
    for browser in (client, member, guest_browser()):
        for address in ("/", "/accounts/", "/accounts/login/", "/games/", "/lobby/", "/rules/", "/learn/"):
            browser.get(address)
        browser.post("/accounts/language/", {"language": "fr", "next": "/"})
        assert {*browser.cookies} <= explained
        assert browser.cookies


@pytest.mark.parametrize("is_there", [True, False])
def test_the_file_of_the_host_is_read_at_the_start_or_refused_by_name(tmp_path: Path, is_there: bool) -> None:
    path = tmp_path / "privacy.txt"
    if is_there:
        path.write_text("One\nparagraph.\n\n\nAnother  one.\n", encoding="utf-8")
    code = "from blockyou import env; print(env.paragraphs('PRIVACY_FILE'))"
    called = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PRIVACY_FILE": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    if is_there:
        assert called.stdout == "('One paragraph.', 'Another one.')\n"
    else:
        assert f"PRIVACY_FILE is {path}, and no text in UTF-8 can be read there." in called.stderr
