"""Logging in, keys, files of one's own and what goes wrong there, in French and without scripts.

What is behind a second factor or a sign-on is seen by none of the people whom `test_pages` sends everywhere.
"""

import json
import re
from html import unescape
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from accounts.models import AccountChange, User
from accounts.sign_on.linked import link_account
from tests.accounts.conftest import PASSWORD, who
from tests.accounts.factors import (
    AGAIN,
    BETWEEN,
    CODES_OFF,
    CODES_ON,
    PAGE,
    RECOVERY,
    RECOVERY_NEW,
    Clock,
    code_of,
    with_codes,
)
from tests.accounts.factors import clock as clock
from tests.accounts.provider import NAME, SIGN_ON, Provider, place_of, signed_on
from tests.accounts.provider import provider as provider
from tests.accounts.soft_key import SoftKey, asked_of_anyone, asked_on
from tests.accounts.test_passkeys import ADD, AGAIN_BY_KEY, LOGIN, LOST, MAKE, SIGN_UP
from tests.language.pages import texts
from tests.language.test_pages import is_english

pytestmark = pytest.mark.django_db

FRENCH = {"Accept-Language": "fr"}
RENEW, REMOVE, CLOSE = "/accounts/password/new/", "/accounts/password/remove/", "/accounts/delete/"
#: What a person with everything is shown, once they have shown who they are.
OWN = (
    *(PAGE, CODES_OFF, RECOVERY, RECOVERY_NEW, ADD, AGAIN, AGAIN_BY_KEY, RENEW, REMOVE, CLOSE),
    *("/accounts/password/change/", "/accounts/email/", "/accounts/tokens/", "/accounts/bots/", "/webhooks/"),
    *("/accounts/", "/data/", "/data/bring/", "/privacy/"),
)
#: And what strangers are.
STRANGE = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", LOST, SIGN_UP, "/privacy/")

#: What stands on these pages and is nobody's language: a question to a device, the name of the provider, a secret.
NO_LANGUAGE = re.compile(r'data-options="[^"]*"|\bSchool\b|otpauth://[^"]*|\b(?:[A-Z2-7]{4} ?){8}')

#: What a form for a passkey says until a script has shown its button.
WITHOUT_SCRIPTS = "Les clés d’accès demandent un navigateur récent, avec les scripts activés"

#: What is the same in both languages: a word, and how somebody calls a passkey.
SAME = {"Code", "Téléphone"}

Ruth = tuple[Client, SoftKey, str]


@pytest.fixture
def ruth(alice: User, clock: Clock, provider: Provider) -> Ruth:
    """A browser of a person who has a password, a passkey, codes and the sign-on; the passkey; the codes' secret."""
    secret = with_codes(alice)
    client, key = Client(headers=FRENCH), SoftKey()
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    client.post(BETWEEN, {"code": code_of(secret)})
    clock(30)
    client.post(AGAIN, {"code": code_of(secret)})
    client.post(ADD, {"name": "Téléphone", "credential": key.make(asked_on(client, ADD))})
    link_account(alice, "otis-1")
    assert Authenticator.objects.filter(user=alice).count() == 3
    return client, key, secret


def kept() -> Any:
    """What no refusal changes."""
    people = list(User.objects.order_by("pk").values_list("pk", "password", "email", "username", "is_active"))
    factors = list(Authenticator.objects.order_by("pk").values_list("pk", "data"))
    return people, factors, SocialAccount.objects.count(), AccountChange.objects.count()


def forms_of(page: str) -> list[str]:
    return re.findall(r"<form\b.*?</form>", page, re.DOTALL)


def is_sent_without_scripts(form: str) -> bool:
    """Return whether a form has a button that sends it by itself."""
    return any('type="button"' not in button for button in re.findall(r"<button\b[^>]*>", form))


def check_page(path: str, answer: Any, english: Any) -> str:
    """Check that a page is in French, and that what cannot be done on it without scripts is said or not shown."""
    page, there = answer.content.decode(), set(texts(NO_LANGUAGE.sub(" ", english.content.decode())))
    assert answer.status_code == 200, path
    assert re.search(r'<html\s+lang="fr"', page), path
    assert [text for text in texts(NO_LANGUAGE.sub(" ", page)) if text not in SAME and is_english(text, there)] == [], (
        path
    )
    main = page[page.index("<main") : page.index("</main>")]
    for form in forms_of(main):
        is_hidden = re.search(r"\shidden\b", form[: form.index(">")]) is not None
        says_why = WITHOUT_SCRIPTS in " ".join(unescape(form).split())
        assert is_sent_without_scripts(form) or is_hidden or says_why, path
    return main


def test_every_page_of_ones_own_is_in_french_and_works_without_scripts(ruth: Ruth) -> None:
    client, _key, _secret = ruth
    for path in OWN:
        cache.clear()
        check_page(path, client.get(path), client.get(path, headers={"Accept-Language": "en"}))


def test_every_page_for_strangers_is_too(provider: Provider) -> None:
    for path in STRANGE:
        cache.clear()
        client = Client()
        check_page(path, client.get(path, headers=FRENCH), client.get(path, headers={"Accept-Language": "en"}))


def test_so_are_the_pages_on_the_way(ruth: Ruth, provider: Provider) -> None:
    english = {"Accept-Language": "en"}
    between = Client(headers=FRENCH)
    between.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    check_page(BETWEEN, between.get(BETWEEN), between.get(BETWEEN, headers=english))
    newcomer = Client(headers=FRENCH)
    newcomer.post(SIGN_UP, {"username": "Gaston"})
    check_page(MAKE, newcomer.get(MAKE), newcomer.get(MAKE, headers=english))
    guest = Client(headers=FRENCH)
    check_page(SIGN_ON, guest.post(SIGN_ON), guest.post(SIGN_ON, headers=english))
    provider.subject = "otis-2"
    signed_on(provider, guest)
    check_page(NAME, guest.get(NAME), guest.get(NAME, headers=english))


# What goes wrong


def broken_attestation(client: Client, _key: SoftKey, _secret: str, _provider: Provider, _put_on: Clock) -> Any:
    made = json.loads(SoftKey().make(asked_on(client, ADD)))
    made["response"]["attestationObject"] = made["response"]["attestationObject"][:-40]
    return client.post(ADD, {"name": "Autre", "credential": json.dumps(made)})


def passkey_of_another_site(_client: Client, key: SoftKey, _secret: str, _provider: Provider, _put_on: Clock) -> Any:
    other = Client(headers=FRENCH)
    answer = other.post(LOGIN, {"credential": key.show(asked_of_anyone(other), origin="https://evil.example")})
    assert answer.status_code == 302
    return other.get(answer.headers["Location"])


def at_the_code() -> Client:
    other = Client(headers=FRENCH)
    other.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    return other


def clock_90_s_off(_client: Client, _key: SoftKey, secret: str, _provider: Provider, _put_on: Clock) -> Any:
    return at_the_code().post(BETWEEN, {"code": code_of(secret, 90)})


def code_twice(client: Client, _key: SoftKey, secret: str, _provider: Provider, _put_on: Clock) -> Any:
    return at_the_code().post(BETWEEN, {"code": code_of(secret)})


def wrong_recovery_code(_client: Client, _key: SoftKey, _secret: str, _provider: Provider, _put_on: Clock) -> Any:
    return Client(headers=FRENCH).post(LOST, {"username": "alice", "code": "0000 0000 0000"})


def provider_away(_client: Client, _key: SoftKey, _secret: str, provider: Provider, _put_on: Clock) -> Any:
    provider.fails = ("openid-configuration",)
    return Client(headers=FRENCH).post(SIGN_ON)


def provider_lies(_client: Client, _key: SoftKey, _secret: str, provider: Provider, _put_on: Clock) -> Any:
    provider.claims = {"iss": "https://evil.example.org"}
    return signed_on(provider, Client(headers=FRENCH))


def answer_twice(_client: Client, _key: SoftKey, _secret: str, provider: Provider, _put_on: Clock) -> Any:
    other = Client(headers=FRENCH)
    place = place_of(other.post(SIGN_ON))
    provider.comes_back(other, place, error="access_denied")
    return provider.comes_back(other, place)


def another_persons_sign_on(client: Client, _key: SoftKey, _secret: str, provider: Provider, _put_on: Clock) -> Any:
    provider.subject = "otis-2"
    return signed_on(provider, client, "/accounts/keys/sign-on/add/")


def wrong_word(client: Client, _key: SoftKey, _secret: str, _provider: Provider, _put_on: Clock) -> Any:
    return client.post(CLOSE, {"word": "delete"})


def weak_password(client: Client, _key: SoftKey, _secret: str, _provider: Provider, _put_on: Clock) -> Any:
    return client.post(RENEW, {"password1": "12345678", "password2": "12345678"})


def password_waits(client: Client, _key: SoftKey, _secret: str, _provider: Provider, put_on: Clock) -> Any:
    put_on(301)
    answer = client.post(RENEW, {"password1": "another long sentence", "password2": "another long sentence"})
    assert answer.status_code == 302
    return client.get(answer.headers["Location"])


#: What is tried, how it is answered, and what to do then.
REFUSALS = [
    (broken_attestation, 200, "Rechargez cette page, puis réessayez."),
    (passkey_of_another_site, 200, "Rechargez cette page, puis réessayez."),
    (clock_90_s_off, 200, "réglez l’horloge de votre téléphone"),
    (code_twice, 200, "Attendez que votre application affiche le suivant."),
    (wrong_recovery_code, 200, "Si votre compte a un mot de passe, connectez-vous d’abord avec lui"),
    (provider_away, 503, "Réessayez dans une minute, ou connectez-vous autrement."),
    (provider_lies, 502, "si cela continue, prévenez les"),
    (answer_twice, 400, "Recommencez."),
    (another_persons_sign_on, 409, "Rien n’a changé."),
    (wrong_word, 200, "Saisissez"),
    (weak_password, 200, "mot de passe"),
    (password_waits, 200, "Envoyez de nouveau le formulaire."),
]


@pytest.mark.parametrize(("tried", "status", "sentence"), REFUSALS, ids=[each[0].__name__ for each in REFUSALS])
def test_a_refusal_says_in_french_what_to_do_and_changes_nothing(
    ruth: Ruth, provider: Provider, clock: Clock, tried: Any, status: int, sentence: str
) -> None:
    client, key, secret = ruth
    before = kept()
    answer = tried(client, key, secret, provider, clock)
    source = NO_LANGUAGE.sub(" ", answer.content.decode())
    page = " ".join(unescape(source).split())
    assert (answer.status_code, sentence in page) == (status, True), texts(source)
    assert [text for text in texts(source) if is_english(text, set())] == []
    assert kept() == before
    assert who(client) == User.objects.get(username="alice")


def test_codes_are_switched_on_in_french_and_without_scripts(alice: User, clock: Clock) -> None:
    client = Client(headers=FRENCH)
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = check_page(CODES_ON, client.get(CODES_ON), client.get(CODES_ON, headers={"Accept-Language": "en"}))
    secret = re.findall(r'id="secret" class="input" value="(\w+)"', page)[0]
    answer = client.post(CODES_ON, {"code": "000000"})
    assert "Ce code n’est pas le bon." in unescape(answer.content.decode())
    answer = client.post(CODES_ON, {"code": code_of(secret)}, follow=True)
    assert "<h1>Codes de secours</h1>" in answer.content.decode()
