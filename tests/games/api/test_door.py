"""C15: who is let in by the API: tokens with scopes, hashed, revoked at once; no cookie counts."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.mail.restoring import FormerAddress, restore_address
from accounts.models import ApiToken, Scope, User
from accounts.tokens import make_token, revoke_token, token_of_secret
from games.api.door import REQUESTS_A_MINUTE
from games.models import Game
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.tables import ME, OPEN, fresh, open_table, running

pytestmark = pytest.mark.django_db

MakeProgram = Callable[..., Program]


@pytest.fixture
def private(alice: User, bob: User) -> Game:
    return running(alice, bob, is_public=False)


@pytest.mark.parametrize("path", ["me", "games"])
def test_without_a_token_nothing_of_a_person_is_told(path: str) -> None:
    answer = Program().get(path)
    assert (answer.status_code, answer.json()["code"]) == (401, "token")
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("secret", ["x", "blockyou_", "blockyou_" + "a" * 32, "é" * 41, "blockyou_" + "a" * 32 + " "])
def test_a_token_that_is_none_opens_nothing(alice: User, secret: str) -> None:
    make_token(alice, "another", list(Scope), timezone.now())
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "token")


def test_a_cookie_counts_for_nothing(alice: User, private: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert browser.get("/api/v1/me").status_code == 401
    assert browser.get(f"/api/v1/games/{private.slug}").status_code == 404
    body = {"number": 1}
    answer = browser.post(f"/api/v1/games/{private.slug}/resign", body, content_type="application/json")
    assert (answer.status_code, fresh(private).status) == (401, "running")


def test_a_token_reaches_what_its_owner_may_see_and_no_more(
    alice: User, carol: User, private: Game, program: MakeProgram
) -> None:
    assert program(alice).get(f"games/{private.slug}").status_code == 200
    strange = program(carol).get(f"games/{private.slug}")
    missing = program(carol).get("games/aaaaaaaaaa")
    assert (strange.status_code, strange.content) == (404, missing.content)


@pytest.mark.parametrize(
    ("scopes", "read", "play", "tables"),
    [([Scope.READ], 200, 403, 403), ([Scope.PLAY], 403, 200, 403), ([Scope.TABLES], 403, 403, 200)],
)
def test_a_token_does_what_its_scopes_say(
    alice: User,
    bob: User,
    private: Game,
    program: MakeProgram,
    scopes: list[Scope],
    read: int,
    play: int,
    tables: int,
) -> None:
    table, mine = open_table(bob, ME, OPEN), program(alice, scopes)
    answers = [
        mine.get("games"),
        mine.post(f"games/{private.slug}/resign"),
        mine.post(f"games/{table.slug}/join", token=table.invite_token),
    ]
    assert [answer.status_code for answer in answers] == [read, play, tables]
    assert {answer.json()["code"] for answer in answers if answer.status_code == 403} == {"scope"}


CHANNEL = {"address": "https://discord.com/api/webhooks/1/a-secret"}


@pytest.mark.parametrize(("scope", "status"), [(Scope.CHANNEL, 204), (Scope.TABLES, 403), (Scope.PLAY, 403)])
def test_a_channel_is_set_and_left_by_tokens_that_may(
    alice: User, bob: User, program: MakeProgram, scope: Scope, status: int
) -> None:
    path, mine = f"games/{running(alice, bob).slug}/webhook", program(alice, [scope])
    answers = [mine.post(path, **CHANNEL), mine.post(f"{path}/stop")]
    assert [answer.status_code for answer in answers] == [status, status]


@pytest.mark.parametrize(("scopes", "status"), [([Scope.READ, Scope.TABLES], 204), ([Scope.READ, Scope.PLAY], 403)])
def test_a_token_from_before_there_was_a_scope_for_channels_still_does_what_tables_let_it_do(
    alice: User, bob: User, program: MakeProgram, scopes: list[Scope], status: int
) -> None:
    old = program(alice, scopes)
    make_all_older()
    assert old.post(f"games/{running(alice, bob).slug}/webhook", **CHANNEL).status_code == status


def make_all_older() -> None:
    """Store all tokens as the release before does, which knows nothing of channels."""
    known = [str(field.column) for field in ApiToken._meta.concrete_fields if field.name != "has_chat_by_tables"]
    columns = ", ".join(known)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE kept AS SELECT {columns} FROM accounts_apitoken")
        cursor.execute("DELETE FROM accounts_apitoken")
        cursor.execute(f"INSERT INTO accounts_apitoken ({columns}) SELECT {columns} FROM kept")
        cursor.execute("DROP TABLE kept")


def test_a_revoked_token_opens_nothing_any_more(alice: User, bob: User, program: MakeProgram) -> None:
    mine = program(alice)
    token = ApiToken.objects.get()
    assert not revoke_token(bob, token.pk)
    assert mine.get("me").status_code == 200
    assert revoke_token(alice, token.pk)
    assert mine.get("me").status_code == 401


def test_a_closed_account_has_no_token(alice: User, program: MakeProgram) -> None:
    mine = program(alice)
    close_account(alice)
    assert mine.get("me").status_code == 401
    assert not ApiToken.objects.exists()


def test_an_address_that_is_given_back_ends_the_tokens(alice: User, program: MakeProgram) -> None:
    mine = program(alice)
    restore_address(FormerAddress(alice, "alice@before.example.org", timezone.now()))
    assert mine.get("me").status_code == 401


def test_the_secret_is_not_stored(alice: User) -> None:
    secret = make_token(alice, "mine", [Scope.READ], timezone.now())
    stored = [str(value) for row in ApiToken.objects.values_list() for value in row]
    assert not [value for value in stored if secret in value or secret[12:] in value]
    # 192 bits of chance.
    assert len(secret.removeprefix("blockyou_")) == 32


def test_its_last_use_is_known_to_the_minute(alice: User) -> None:
    now = timezone.now()
    secret = make_token(alice, "mine", [Scope.READ], now)
    for seconds, noted in ((0, 0), (59, 0), (60, 60), (90, 60)):
        token_of_secret(secret, now + timedelta(seconds=seconds))
        assert ApiToken.objects.get().used_at == now + timedelta(seconds=noted)


def test_a_hundred_requests_a_minute_are_answered(alice: User, bob: User, program: MakeProgram) -> None:
    mine, other = program(alice), program(alice)
    statuses = [(mine, other)[number % 2].get("variants").status_code for number in range(REQUESTS_A_MINUTE)]
    # Two minutes at most have gone by.
    assert statuses.count(200) >= REQUESTS_A_MINUTE - 1
    late = next(
        answer for answer in (mine.get("variants") for _ in range(REQUESTS_A_MINUTE)) if answer.status_code != 200
    )
    assert (late.status_code, late.json()["code"]) == (429, "too-many")
    assert 0 < int(late["Retry-After"]) <= 61
    assert program(bob).get("variants").status_code == 200


def test_guesses_at_tokens_are_counted_by_address() -> None:
    wrong = Program("blockyou_" + "a" * 32)
    statuses = [wrong.get("me").status_code for _ in range(2 * REQUESTS_A_MINUTE + 1)]
    assert set(statuses) == {401, 429}


def test_what_everybody_may_see_needs_no_token_and_may_be_read_by_other_sites(alice: User, bob: User) -> None:
    game = running(alice, bob)
    for path in (f"games/{game.slug}", f"games/{game.slug}/placements", "variants", "variants/duo"):
        answer = Program().get(path)
        assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (200, "*")


def test_other_sites_do_not_read_with_somebodys_token(alice: User, program: MakeProgram) -> None:
    answer = program(alice).get("me")
    assert "Access-Control-Allow-Origin" not in answer
    assert answer["Cache-Control"] == "no-store"
    assert "Authorization" in answer["Vary"]


def test_a_browser_that_asks_for_a_page_of_another_site_hears_why_no_token_may_be_sent(client: Client) -> None:
    asking = {"Origin": "https://example.org", "Access-Control-Request-Method": "GET"}
    answer = client.options("/api/v1/me", headers={**asking, "Access-Control-Request-Headers": "authorization"})
    assert (answer.status_code, answer.json()["code"]) == (405, "preflight")
    assert "cannot send a token" in answer.json()["detail"]
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    assert client.options("/api/v1/me").json()["code"] == "method"


def test_an_address_where_there_is_nothing_is_a_problem() -> None:
    answer = Program().get("no/such/thing")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
