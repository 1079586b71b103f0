"""The host's own sign-on, tried against a real provider: panva's oidc-provider, where it is installed.

npm install --prefix FOLDER oidc-provider@9
OIDC_PROVIDER=FOLDER pytest -m proof tests/accounts/test_real_provider.py
"""

import os
import re
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from tests.accounts.conftest import who
from tests.accounts.factors import show_password
from tests.accounts.provider import ADD, AGAIN, BACK, NAME, SIGN_ON, place_of

FOLDER = os.environ.get("OIDC_PROVIDER", "")
HERE = Path(__file__).parent
SECRET = "a secret of the trial, long enough"

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(not FOLDER, reason="OIDC_PROVIDER names no folder in which oidc-provider is installed."),
]


@pytest.fixture
def issuer(settings: Any) -> Iterator[str]:
    """The provider, running, and a site that is told of it."""
    cache.clear()
    redirect = f"{settings.PUBLIC_URL}{BACK}"
    command = ["node", str(HERE / "provider.mjs"), FOLDER, redirect]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        found = next((line.strip() for line in process.stdout if line.startswith("http")), "")
        settings.SIGN_ON = {"issuer": found, "client": "block-you", "secret": SECRET, "name": "Real"}
        yield found
        process.terminate()


def logged_in_there(browser: requests.Session, place: str, name: str) -> str:
    """Log in at the provider as a person would; return the address at which they come back."""
    answer = browser.get(place, allow_redirects=False)
    for _step in range(20):
        if answer.is_redirect:
            place = urljoin(answer.url, answer.headers["Location"])
            if BACK in place:
                return place
            answer = browser.get(place, allow_redirects=False)
            continue
        action, prompt = (
            unescape(re.findall(rf'{part}="([^"]+)"', answer.text)[0]) for part in ("action", 'name="prompt" value')
        )
        answer = browser.post(
            urljoin(answer.url, action), {"prompt": prompt, "login": name, "password": "any"}, allow_redirects=False
        )
    raise AssertionError("The provider does not end.")


@pytest.mark.django_db
def test_a_person_of_a_real_provider_gets_an_account_and_shows_again_who_they_are(issuer: str) -> None:
    client, browser = Client(), requests.Session()
    back = logged_in_there(browser, place_of(client.post(SIGN_ON)), "otis")
    assert client.get(back).headers["Location"] == NAME
    assert 'value="otis"' in client.get(NAME).content.decode()
    client.post(NAME, {"username": "Otis"})
    otis = who(client)
    assert (otis.username, otis.email) == ("Otis", "otis@example.org")
    # The same answer again opens nothing, in this browser or another.
    assert client.get(back).status_code == 400
    assert Client().get(back).status_code == 400
    # Asked afresh, the provider asks them again.
    other = Client()
    other.get(logged_in_there(browser, place_of(other.post(SIGN_ON)), "otis"))
    assert who(other) == otis
    tokens = "/accounts/tokens/"
    assert other.get(tokens).headers["Location"].startswith(AGAIN)
    place = place_of(other.post(AGAIN, {"next": tokens}))
    assert other.get(logged_in_there(browser, place, "otis")).headers["Location"] == tokens
    assert other.get(tokens).status_code == 200


@pytest.mark.django_db
def test_a_member_adds_a_person_of_a_real_provider(issuer: str, as_alice: Client, alice: Any) -> None:
    show_password(as_alice)
    as_alice.get(logged_in_there(requests.Session(), place_of(as_alice.post(ADD)), "ruth"))
    assert SocialAccount.objects.get().user == alice


@pytest.mark.django_db
def test_a_provider_that_does_not_know_the_site_is_not_believed(issuer: str, settings: Any) -> None:
    client = Client()
    place = place_of(client.post(SIGN_ON))
    settings.SIGN_ON = {**settings.SIGN_ON, "secret": "another secret"}
    assert client.get(logged_in_there(requests.Session(), place, "otis")).status_code == 502
    assert who(client) is None
