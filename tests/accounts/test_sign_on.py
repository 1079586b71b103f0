"""The host's own sign-on: logging in, a name at the first time, adding and removing it, and a provider that lies."""

import json
import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import IntegrityError
from django.test import Client

from accounts import guests
from accounts.erasure import close_account
from accounts.keys.passkeys import LastWayIn, remove_passkey
from accounts.models import AccountChange, User
from accounts.sign_on import asking
from accounts.sign_on.linked import link_account
from accounts.sign_on.provider import away_name
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in, who
from tests.accounts.factors import BETWEEN, PAGE, Clock, code_of, show_password, with_codes
from tests.accounts.factors import clock as clock
from tests.accounts.provider import (
    ADD,
    AGAIN,
    BACK,
    CLIENT,
    ISSUER,
    NAME,
    REMOVE,
    SECRET,
    SIGN_ON,
    STRANGE_KEY,
    Provider,
    place_of,
    signed_on,
)
from tests.accounts.provider import provider as provider

pytestmark = pytest.mark.django_db

DOUBTED = "The answer of School cannot be trusted. Nothing has changed."
AWAY = "School does not answer. Nothing has changed."


def changed() -> tuple[int, int]:
    return User.objects.count(), SocialAccount.objects.count()


def says(answer: Any, sentence: str) -> bool:
    return sentence in answer.content.decode().replace("&#x27;", "'")


# Logging in


def test_without_a_provider_there_is_no_such_page_and_no_button(client: Client, as_alice: Client) -> None:
    for address in (SIGN_ON, ADD, REMOVE, AGAIN):
        assert client.post(address).status_code == 404
        assert as_alice.post(address).status_code == 404
    assert client.get(BACK, {"code": "x", "state": "y"}).status_code == 404
    assert client.get(NAME).status_code == 404
    for page in ("/accounts/login/", "/accounts/signup/"):
        assert SIGN_ON not in client.get(page).content.decode()


def test_a_stranger_gets_an_account_under_a_name_of_their_own(client: Client, provider: Provider) -> None:
    provider.userinfo = {"preferred_username": "Otis"}
    for page in ("/accounts/login/", "/accounts/signup/"):
        assert says(client.get(page), "Continue with School")
    answer = signed_on(provider, client, next="/rules/")
    assert answer.headers["Location"] == NAME
    assert not User.objects.exists()
    assert 'value="Otis"' in client.get(NAME).content.decode()
    assert says(client.post(NAME, {"username": "admin"}), "This name is reserved.")
    assert client.post(NAME, {"username": "Otis of Ohio"}).headers["Location"] == "/rules/"
    otis = User.objects.get()
    assert (who(client), otis.username, otis.is_guest, otis.email) == (otis, "Otis of Ohio", False, "")
    assert not otis.has_usable_password()
    row = SocialAccount.objects.get()
    assert (row.user, row.uid, row.extra_data) == (otis, "otis-1", {})
    other = Client()
    signed_on(provider, other)
    assert who(other) == otis


def test_what_the_provider_is_asked_is_bound_to_this_log_in(client: Client, provider: Provider) -> None:
    asked = {name: each[0] for name, each in parse_qs(urlsplit(place_of(client.post(SIGN_ON))).query).items()}
    assert (asked["client_id"], asked["response_type"], asked["code_challenge_method"]) == (CLIENT, "code", "S256")
    assert {*asked["scope"].split()} == {"openid", "profile", "email"}
    assert asked["redirect_uri"].endswith(BACK)
    assert SECRET not in str(asked)
    signed_on(provider, client)
    assert provider.sent["data"]["code_verifier"]
    assert provider.sent["data"]["client_secret"] == SECRET


def test_an_address_that_has_a_query_keeps_it(client: Client, provider: Provider) -> None:
    provider.change_words = lambda words: words.update(authorization_endpoint=f"{ISSUER}/auth?p=school")
    asked = parse_qs(urlsplit(place_of(client.post(SIGN_ON))).query)
    assert (asked["p"], asked["client_id"]) == (["school"], [CLIENT])


def test_who_has_planted_a_session_gets_no_account_by_it(client: Client, provider: Provider) -> None:
    place, thief = place_of(client.post(SIGN_ON)), Client()
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    provider.comes_back(client, place)
    thief.post(NAME, {"username": "Mallory"})
    assert not User.objects.exists()
    client.post(NAME, {"username": "Otis"})
    assert who(client) == User.objects.get(username="Otis")


def test_a_guest_becomes_a_member_in_the_same_row(provider: Provider) -> None:
    client = guest_browser()
    guest = who(client)
    assert says(client.get("/accounts/claim/"), "Continue with School")
    signed_on(provider, client)
    assert says(client.get(NAME), "The games that you have played as a guest stay yours.")
    client.post(NAME, {"username": "Otis"})
    guest.refresh_from_db()
    assert (who(client), guest.username, guest.is_guest) == (guest, "Otis", False)


def test_a_second_tap_on_the_name_makes_no_second_account(client: Client, provider: Provider) -> None:
    signed_on(provider, client)
    other = Client()
    signed_on(provider, other)
    client.post(NAME, {"username": "Otis"})
    other.post(NAME, {"username": "Otis the Second"})
    assert User.objects.filter(is_guest=False).count() == SocialAccount.objects.count() == 1


def test_a_name_that_is_taken_meanwhile_is_asked_for_again(client: Client, provider: Provider, alice: User) -> None:
    signed_on(provider, client)
    assert says(client.post(NAME, {"username": "alice"}), "taken")
    assert not SocialAccount.objects.exists()


def test_the_name_of_a_newcomer_waits_half_an_hour(client: Client, provider: Provider, clock: Clock) -> None:
    signed_on(provider, client)
    clock(1801)
    assert client.post(NAME, {"username": "Otis"}).headers["Location"] == "/accounts/login/"
    assert not User.objects.exists()


def test_the_account_with_the_same_address_is_never_opened_by_it(
    client: Client, provider: Provider, alice: User
) -> None:
    provider.claims = {"email": alice.email, "email_verified": True}
    assert signed_on(provider, client).headers["Location"] == NAME
    assert who(client) is None
    client.post(NAME, {"username": "Otis"})
    assert who(client) != alice
    assert who(client).email == ""
    assert EmailAddress.objects.get().user == alice


@pytest.mark.parametrize(("is_confirmed", "kept"), [(True, "otis@example.org"), (False, ""), ("true", ""), (None, "")])
def test_only_an_address_that_the_provider_has_confirmed_is_kept(
    client: Client, provider: Provider, is_confirmed: object, kept: str
) -> None:
    provider.claims = {"email": "otis@example.org", "email_verified": is_confirmed}
    signed_on(provider, client)
    client.post(NAME, {"username": "Otis"})
    assert User.objects.get().email == kept
    assert EmailAddress.objects.filter(verified=True).count() == bool(kept)


def test_one_time_codes_are_asked_for_as_after_the_password(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    secret = with_codes(alice)
    assert signed_on(provider, client).headers["Location"] == BETWEEN
    assert who(client) is None
    client.post(BETWEEN, {"code": code_of(secret)})
    assert who(client) == alice


def test_a_closed_account_is_not_opened_and_its_row_is_gone(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    close_account(alice)
    assert not SocialAccount.objects.exists()
    assert signed_on(provider, client).headers["Location"] == NAME


def test_an_account_that_is_locked_is_not_opened(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    User.objects.filter(pk=alice.pk).update(is_active=False)
    signed_on(provider, client)
    assert who(client) is None


def test_another_issuer_has_other_people(client: Client, provider: Provider, alice: User, settings: Any) -> None:
    link_account(alice, "otis-1")
    other = "https://other.example.org"
    settings.SIGN_ON = {**settings.SIGN_ON, "issuer": other}
    provider.change_words = lambda words: words.update(issuer=other)
    provider.claims = {"iss": other}
    assert signed_on(provider, client).headers["Location"] == NAME


def test_a_log_in_leads_to_no_other_site(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    assert signed_on(provider, client, next="https://evil.example/").headers["Location"] == "/games/"


# Who may make an account


def test_where_sign_up_is_closed_only_who_has_an_account_comes_in(
    client: Client, provider: Provider, alice: User, settings: Any
) -> None:
    settings.SIGN_UP = "closed"
    before = changed()
    sent = {"username": "Otis", "password1": PASSWORD, "next": ""}
    for address in ("/accounts/signup/", "/accounts/keys/passkeys/sign-up/"):
        page = client.post(address, sent)
        assert says(page, "This site does not accept new accounts at the moment."), address
    assert says(guest_browser().post("/accounts/claim/", sent), "This site does not accept new accounts")
    refused = signed_on(provider, client)
    assert refused.status_code == 403
    assert says(refused, "This site does not accept new accounts at the moment.")
    assert SocialAccount.objects.count() == before[1]
    assert not User.objects.filter(username="Otis").exists()
    assert who(logged_in("alice")) == alice
    link_account(alice, "otis-1")
    signed_on(provider, client)
    assert who(client) == alice


def test_where_accounts_are_for_people_of_the_provider_they_alone_get_one(
    client: Client, provider: Provider, settings: Any
) -> None:
    settings.SIGN_UP = "sign-on"
    page = client.get("/accounts/signup/")
    assert says(page, "Accounts here are for people who can log in at School.")
    assert says(page, "Continue with School")
    client.post("/accounts/signup/", {"username": "Otis", "password1": PASSWORD})
    assert not User.objects.exists()
    signed_on(provider, client)
    client.post(NAME, {"username": "Otis"})
    assert who(client).username == "Otis"


# A provider that is away or lies


def test_whose_name_is_taken_at_the_last_moment_chooses_another(
    client: Client, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_on(provider, client)

    def taken(*_given: Any, **_more: Any) -> User:
        raise IntegrityError

    with monkeypatch.context() as patched:
        patched.setattr(guests, "make_member", taken)
        assert client.post(NAME, {"username": "Otis"}).status_code == 200
    assert who(client).is_guest
    client.post(NAME, {"username": "Otis"})
    assert who(client).username == "Otis"


@pytest.mark.parametrize("fails", ["openid-configuration", "/token", "/keys"])
def test_a_provider_that_is_away_is_said_and_changes_nothing(client: Client, provider: Provider, fails: str) -> None:
    provider.fails = (fails,)
    answer = client.post(SIGN_ON)
    if fails != "openid-configuration":
        answer = provider.comes_back(client, place_of(answer))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert says(answer, AWAY)
    assert changed() == (0, 0)
    # Nobody waits for it again at once.
    provider.fails, asked = (), len(provider.asked)
    assert client.post(SIGN_ON).status_code == 503
    assert len(provider.asked) == asked
    cache.delete(away_name())
    assert signed_on(provider, client).headers["Location"] == NAME


def test_a_provider_that_answers_with_a_failure_is_away(client: Client, provider: Provider) -> None:
    provider.status = 500
    assert client.post(SIGN_ON).status_code == 503


def test_the_page_of_a_person_may_be_away(client: Client, provider: Provider) -> None:
    provider.fails = ("/me",)
    assert signed_on(provider, client).headers["Location"] == NAME


@pytest.mark.parametrize(
    "words",
    [
        {"issuer": "https://evil.example.org"},
        {"issuer": f"{ISSUER}/"},
        {"token_endpoint": "http://login.example.org/token"},
        {"jwks_uri": None},
        {"authorization_endpoint": 7},
        {"authorization_endpoint": f"{ISSUER}/auth\nSet-Cookie: a=b"},
        {"authorization_endpoint": "https://[oops"},
        {"authorization_endpoint": "https:///auth"},
    ],
)
def test_a_provider_that_is_another_one_is_not_believed(client: Client, provider: Provider, words: Any) -> None:
    provider.change_words = lambda said: said.update(words)
    answer = client.post(SIGN_ON)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)
    assert "Refresh" not in answer.headers


@pytest.mark.parametrize("said", ["of itself", "in the token", "on the way back"])
def test_a_provider_that_lies_about_the_issuer_is_not_believed_and_changes_nothing(
    client: Client, provider: Provider, alice: User, said: str
) -> None:
    link_account(alice, "otis-1")
    before, more = changed(), {}
    if said == "of itself":
        provider.change_words = lambda words: words.update(issuer="https://evil.example.org")
        answer = client.post(SIGN_ON)
    else:
        if said == "in the token":
            provider.claims = {"iss": "https://evil.example.org"}
        else:
            more = {"iss": "https://evil.example.org"}
        answer = provider.comes_back(client, place_of(client.post(SIGN_ON)), **more)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)
    assert says(answer, "Try again; if it stays so, tell the people who run this site.")
    assert who(client) is None
    assert changed() == before


@pytest.mark.parametrize(("seconds", "is_taken"), [(90, False), (-390, False), (30, True), (-330, True)])
def test_a_provider_with_a_clock_90_s_off_is_not_believed_and_one_30_s_off_is(
    client: Client, provider: Provider, alice: User, seconds: int, is_taken: bool
) -> None:
    link_account(alice, "otis-1")
    now = int(time.time()) + seconds
    # It gives a token five minutes.
    provider.claims = {"iat": now, "nbf": now, "exp": now + 300}
    answer = signed_on(provider, client)
    assert answer.status_code == (302 if is_taken else 502)
    assert says(answer, DOUBTED) is not is_taken
    assert who(client) == (alice if is_taken else None)


LIES: dict[str, dict[str, Any]] = {
    "another issuer": {"iss": "https://evil.example.org"},
    "another program": {"aud": "another"},
    "several programs": {"aud": [CLIENT, "another"]},
    "for another program": {"azp": "another"},
    "another log-in": {"nonce": "of another log-in"},
    "no log-in": {"nonce": None},
    "over": {"exp": 1_000_000_000},
    "not yet": {"iat": 4_000_000_000},
    "nobody": {"sub": ""},
    "a number": {"sub": 7},
    "too long": {"sub": "x" * 192},
    "not stored": {"sub": "a\x00b"},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_does_not_hold_opens_nothing(client: Client, provider: Provider, alice: User, lie: str) -> None:
    link_account(alice, "otis-1")
    provider.claims = LIES[lie]
    before = changed()
    answer = signed_on(provider, client)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)
    assert who(client) is None
    assert changed() == before


#: What JSON can say, and no text, no number and no table can.
NO_TEXT: dict[str, dict[str, Any]] = {
    "half a letter in the number of the person": {"sub": "a\ud800"},
    "half a letter in the name": {"preferred_username": "a\udfff"},
    "half a letter in the address": {"email": "a@b\ud800.example", "email_verified": True},
    "half a letter in the mark of this log-in": {"nonce": "\ud800"},
    "half a letter elsewhere": {"locale": ["\ud800"]},
    "no number": {"auth_time": float("nan")},
    "no end": {"exp": float("inf")},
    "nothing that is stored": {"name": "a\x00b"},
}


@pytest.mark.parametrize("lie", NO_TEXT)
def test_a_token_with_what_is_no_text_and_no_number_opens_nothing(client: Client, provider: Provider, lie: str) -> None:
    provider.claims = NO_TEXT[lie]
    answer = signed_on(provider, client)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)
    assert changed() == (0, 0)


@pytest.mark.parametrize("said", [{"name": "a\ud800"}, {"email": "a@b\ud800.example", "email_verified": True}])
def test_a_page_of_a_person_with_what_is_no_text_is_left_out(
    client: Client, provider: Provider, said: dict[str, Any]
) -> None:
    provider.userinfo = said
    assert signed_on(provider, client).headers["Location"] == NAME
    assert client.get(NAME).status_code == 200
    assert client.post(NAME, {"username": "Otis"}).status_code == 302
    assert User.objects.get().email == ""


@pytest.mark.parametrize("at", [10**400, -1, 0, 1e300, True, "yesterday", None, []])
def test_a_moment_that_no_clock_shows_shows_nothing_again(
    client: Client, provider: Provider, alice: User, at: Any
) -> None:
    link_account(alice, "otis-1")
    User.objects.filter(pk=alice.pk).update(password="!")
    signed_on(provider, client)
    assert who(client) == alice
    provider.claims = {"auth_time": at}
    answer = provider.comes_back(client, place_of(client.post(AGAIN, {"next": PAGE})), "code-2")
    assert answer.status_code == 403
    assert says(answer, "School has not asked you again who you are.")


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/token", b'["access_token"]'),
        ("/token", b'"access_token"'),
        ("/token", b'{"access_token": 7, "id_token": 7}'),
        ("/token", b'{"access_token": "a", "id_token": "\\ud800.a.b"}'),
        ("/token", b'{"access_token": "a", "id_token": {"a": 1}}'),
        ("/token", b"[" * 100_000),
        ("/token", b"\xff\xfe"),
        ("/token", b""),
        ("/keys", b"[]"),
        ("/keys", b'{"keys": 7}'),
        ("/keys", b'{"keys": [7, null, "a", [], {}]}'),
        ("/keys", b"[" * 100_000),
        ("/.well-known/openid-configuration", b"[" * 100_000),
        ("/.well-known/openid-configuration", b"7"),
        ("/.well-known/openid-configuration", b"\xff"),
    ],
)
def test_an_answer_that_makes_no_sense_is_said_and_changes_nothing(
    client: Client, provider: Provider, path: str, sent: bytes
) -> None:
    provider.answers = {path: sent}
    answer = client.post(SIGN_ON)
    if answer.status_code == 200:
        answer = provider.comes_back(client, place_of(answer))
    assert answer.status_code in (502, 503)
    assert says(answer, DOUBTED) or says(answer, AWAY)
    assert (who(client), changed()) == (None, (0, 0))


def test_tokens_of_no_kind_are_not_believed(client: Client, provider: Provider) -> None:
    place = place_of(client.post(SIGN_ON))
    provider.kind = ""
    provider.answers = {"/token": b"access_token=a&id_token=b"}
    answer = provider.comes_back(client, place)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)


KEYS: dict[str, dict[str, Any]] = {
    "numbers": {"kty": "RSA", "n": 7, "e": 7},
    "a letter": {"kty": "RSA", "n": "A", "e": "A"},
    "nothing": {"kty": "RSA", "n": "", "e": ""},
    "half of it": {"kty": "RSA", "n": "AQAB"},
    "a private one": {"kty": "RSA", "n": "AQAB", "e": "AQAB", "d": "AQAB", "oth": 7},
    "lists": {"kty": "RSA", "n": [], "e": {}},
    "half a letter": {"kty": "RSA", "n": "\ud800", "e": "AQAB"},
    "off its curve": {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43},
    "too short for its curve": {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"},
    "another curve": {"kty": "EC", "crv": 7, "x": "AA", "y": "AA"},
    "no kind": {"kty": [], "n": "AQAB", "e": "AQAB"},
    "one of Edwards'": {"kty": "OKP", "crv": "Ed25519", "x": "AA"},
    "another algorithm": {"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": ["none"]},
    "of another kind": json.loads(
        jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1()).public_key())
    ),
}


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_none_is_not_believed(client: Client, provider: Provider, key: str) -> None:
    provider.keys = [{"kid": "one", "use": "sig", **KEYS[key]}]
    answer = signed_on(provider, client)
    assert answer.status_code == 502
    assert says(answer, DOUBTED)
    assert changed() == (0, 0)


@pytest.mark.parametrize("part", ["iss", "aud", "sub", "exp", "iat", "nonce"])
def test_a_token_that_lacks_a_part_opens_nothing(client: Client, provider: Provider, alice: User, part: str) -> None:
    link_account(alice, "otis-1")
    provider.change_token = lambda token: token.pop(part)
    assert signed_on(provider, client).status_code == 502
    assert who(client) is None


def test_a_token_signed_by_another_key_opens_nothing(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    provider.key = STRANGE_KEY
    assert signed_on(provider, client).status_code == 502
    assert who(client) is None


def test_a_token_that_nobody_or_the_secret_has_signed_opens_nothing(
    client: Client, provider: Provider, alice: User
) -> None:
    link_account(alice, "otis-1")
    for key, algorithm in ((None, "none"), (SECRET * 4, "HS256")):
        provider.key, provider.algorithm = key, algorithm
        assert signed_on(provider, client).status_code == 502
        assert who(client) is None


def test_a_new_key_is_fetched_once_and_an_unknown_one_not_again_and_again(client: Client, provider: Provider) -> None:
    signed_on(provider, client)
    provider.kid = "two"
    for _each in range(3):
        assert signed_on(provider, client).status_code == 502
    assert provider.asked.count("/keys") == 2
    assert provider.asked.count("/.well-known/openid-configuration") == 1


def test_an_answer_counts_once_and_in_the_browser_that_began(client: Client, provider: Provider, alice: User) -> None:
    link_account(alice, "otis-1")
    place = place_of(client.post(SIGN_ON))
    stolen = Client()
    stolen.get("/accounts/login/")
    refused = provider.comes_back(stolen, place)
    assert refused.status_code == 400
    assert says(refused, "This log-in took too long, or its page was opened twice.")
    assert who(stolen) is None
    provider.comes_back(client, place)
    assert who(client) == alice
    client.post("/accounts/logout/")
    assert provider.comes_back(client, place).status_code == 400
    assert who(client) is None


def test_an_answer_does_not_count_for_who_has_logged_in_meanwhile(
    client: Client, provider: Provider, alice: User, bob: User
) -> None:
    link_account(alice, "otis-1")
    place = place_of(client.post(SIGN_ON))
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert provider.comes_back(client, place).status_code == 400
    assert who(client) == bob


def test_an_answer_of_another_issuer_is_not_believed(client: Client, provider: Provider) -> None:
    place = place_of(client.post(SIGN_ON))
    assert provider.comes_back(client, place, iss="https://evil.example.org").status_code == 502
    assert "/token" not in provider.asked


def test_who_says_no_there_is_where_they_were(client: Client, provider: Provider) -> None:
    place = place_of(client.post(SIGN_ON))
    answer = provider.comes_back(client, place, error="access_denied")
    assert answer.headers["Location"] == "/accounts/login/"
    assert says(client.get("/accounts/login/"), "You have stopped the log-in there. Nothing has changed.")
    place = place_of(client.post(SIGN_ON))
    assert provider.comes_back(client, place, error="server_error").status_code == 502


def test_a_page_of_another_person_is_not_believed(client: Client, provider: Provider) -> None:
    provider.userinfo = {"sub": "ruth-2", "preferred_username": "Ruth"}
    signed_on(provider, client)
    assert "Ruth" not in client.get(NAME).content.decode()


def test_who_is_asked_follows_no_redirect_and_reads_no_endless_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    session = asking.BoundedSession()
    assert (session.max_redirects, session.trust_env) == (0, False)

    class Endless:
        def read1(self, amount: int, decode_content: bool) -> bytes:
            return b"x" * amount

    class Answer:
        raw = Endless()

        def close(self) -> None: ...

    asked: list[Any] = []

    def answer(*_args: object, **more: object) -> Answer:
        asked.append(more)
        return Answer()

    monkeypatch.setattr(requests.Session, "request", answer)
    with pytest.raises(requests.Timeout):
        session.get("https://login.example.org/")
    assert asked[0]["timeout"] == (2, 3)
    assert asking.CONNECT + asking.READ <= asking.WHOLE <= 5


# Adding, removing, showing again


def test_a_member_adds_it_after_showing_who_they_are_and_is_told(
    as_alice: Client, alice: User, provider: Provider, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    assert as_alice.post(ADD).headers["Location"].startswith("/accounts/reauthenticate/")
    show_password(as_alice)
    assert says(as_alice.get(PAGE), "The sign-on of this site")
    assert signed_on(provider, as_alice, ADD).headers["Location"] == PAGE
    page = as_alice.get(PAGE)
    assert says(page, "You can log in by School from now on.")
    assert says(page, "Opens your account since")
    assert AccountChange.objects.get().kind == "sign-on-added"
    assert "You can now log in to your account by the sign-on of this site too." in str(mailoutbox[-1].body)
    assert "/accounts/email/restore/" in str(mailoutbox[-1].body)
    other = Client()
    signed_on(provider, other)
    assert who(other) == alice


def test_what_opens_another_account_is_not_added(as_alice: Client, bob: User, provider: Provider) -> None:
    link_account(bob, "otis-1")
    show_password(as_alice)
    answer = signed_on(provider, as_alice, ADD)
    assert answer.status_code == 409
    assert says(answer, "That log-in already opens another account here. Nothing has changed.")
    assert SocialAccount.objects.get().user == bob


def test_one_account_has_one_person_of_the_provider(as_alice: Client, alice: User, provider: Provider) -> None:
    link_account(alice, "otis-1")
    show_password(as_alice)
    provider.subject = "ruth-2"
    assert signed_on(provider, as_alice, ADD).status_code == 409
    assert SocialAccount.objects.get().uid == "otis-1"
    provider.subject = "otis-1"
    assert signed_on(provider, as_alice, ADD).headers["Location"] == PAGE
    assert not AccountChange.objects.exists()


def test_it_is_removed_but_not_as_the_only_way_in(as_alice: Client, alice: User, provider: Provider) -> None:
    link_account(alice, "otis-1")
    show_password(as_alice)
    alice.set_unusable_password()
    alice.save()
    client = Client()
    signed_on(provider, client)
    provider.claims = {"auth_time": time.time()}
    signed_on(provider, client, AGAIN, next=PAGE)
    client.post(REMOVE)
    assert says(client.get(PAGE), "This is your only way in. Set a password or add a passkey first.")
    assert SocialAccount.objects.exists()
    alice.set_password(PASSWORD)
    alice.save()
    client = logged_in("alice")
    show_password(client)
    client.post(REMOVE)
    assert not SocialAccount.objects.exists()
    assert AccountChange.objects.get().kind == "sign-on-removed"


def test_who_has_nothing_else_shows_again_by_the_provider_who_they_are(
    client: Client, alice: User, provider: Provider, clock: Clock
) -> None:
    link_account(alice, "otis-1")
    alice.set_unusable_password()
    alice.save()
    signed_on(provider, client)
    asked = client.get("/accounts/tokens/").headers["Location"]
    assert asked == f"{AGAIN}?next=%2Faccounts%2Ftokens%2F"
    assert says(client.get(asked), "Log in at School again to continue.")
    place = place_of(client.post(AGAIN, {"next": "/accounts/tokens/"}))
    assert "max_age=0" in place
    # It has let them through by a log-in of this morning.
    provider.claims = {"auth_time": time.time() - 3600}
    answer = provider.comes_back(client, place)
    assert answer.status_code == 403
    assert says(answer, "School has not asked you again who you are.")
    provider.claims = {}
    assert signed_on(provider, client, AGAIN, next="/accounts/tokens/").status_code == 403
    assert client.get("/accounts/tokens/").status_code == 302
    provider.claims = {"auth_time": time.time()}
    assert signed_on(provider, client, AGAIN, next="/accounts/tokens/").headers["Location"] == "/accounts/tokens/"
    assert client.get("/accounts/tokens/").status_code == 200
    clock(301)
    assert client.get("/accounts/tokens/").headers["Location"] == asked


def test_it_shows_nothing_for_who_has_something_else_to_show(
    as_alice: Client, alice: User, provider: Provider, clock: Clock
) -> None:
    link_account(alice, "otis-1")
    with_codes(alice)
    clock(301)
    provider.claims = {"auth_time": time.time()}
    asked = as_alice.post(AGAIN, {"next": "/accounts/tokens/"}).headers["Location"]
    assert asked == "/accounts/reauthenticate/?next=%2Faccounts%2Ftokens%2F"
    assert as_alice.get("/accounts/tokens/").status_code == 302


def test_another_persons_log_in_shows_nothing(client: Client, alice: User, bob: User, provider: Provider) -> None:
    link_account(alice, "otis-1")
    link_account(bob, "ruth-2")
    alice.set_unusable_password()
    alice.save()
    signed_on(provider, client)
    provider.subject, provider.claims = "ruth-2", {"auth_time": time.time()}
    assert signed_on(provider, client, AGAIN).status_code == 403
    assert who(client) == alice
    assert client.get("/accounts/tokens/").status_code == 302


def test_a_passkey_is_no_only_way_in_beside_it(as_alice: Client, alice: User, provider: Provider) -> None:
    alice.set_unusable_password()
    alice.save()
    row = Authenticator.objects.create(user=alice, type=Authenticator.Type.WEBAUTHN, data={})
    with pytest.raises(LastWayIn):
        remove_passkey(alice, row.pk)
    link_account(alice, "otis-1")
    assert remove_passkey(alice, row.pk)
    assert not Authenticator.objects.exists()
