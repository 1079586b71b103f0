"""Every error becomes the right status and a sentence, as a page or as a fragment."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.test.utils import override_settings
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from games.errors import BadRequest, GameError, NotFound, NotSeated, NotYourTurn, Refused, SeatTaken, TooMany
from games.models import Game
from games.views.errors import GameErrorMiddleware, answer
from tests.conftest import LogIn
from tests.games.tables import ME, OPEN, open_table
from tests.games.views.lists import many

ERRORS = [
    (NotFound("Sentence."), 404),
    (NotSeated("Sentence."), 403),
    (NotYourTurn("Sentence."), 409),
    (SeatTaken("Sentence."), 409),
    (Refused("Sentence."), 422),
    (BadRequest("Sentence."), 400),
    (TooMany("Sentence.", retry_after=7), 429),
]


def request(**headers: str) -> HttpRequest:
    made = RequestFactory(headers=headers).get("/")
    made.user = AnonymousUser()
    made.htmx = HtmxDetails(made)  # type: ignore[attr-defined]  # what django-htmx's middleware does
    return made


@pytest.mark.parametrize(("error", "status"), ERRORS)
def test_an_error_becomes_a_page_with_its_sentence(error: GameError, status: int) -> None:
    response = answer(request(), error)
    text = response.content.decode()
    assert (response.status_code, response["X-Error-Code"]) == (status, error.code)
    assert "Sentence." in text
    assert "<!doctype html>" in text.lower()


@pytest.mark.parametrize(("error", "status"), ERRORS)
def test_htmx_gets_the_sentence_alone(error: GameError, status: int) -> None:
    response = answer(request(HX_Request="true"), error)
    assert response.status_code == status
    assert response.content.decode().strip() == '<p class="notice" data-tone="bad" role="alert">Sentence.</p>'


def test_a_limit_says_when_to_come_back() -> None:
    assert answer(request(), TooMany("Wait.", retry_after=7))["Retry-After"] == "7"


def test_other_faults_are_not_hidden() -> None:
    middleware = GameErrorMiddleware(lambda request: None)  # type: ignore[arg-type]  # never called here
    assert middleware.process_exception(request(), RuntimeError("broken")) is None


def test_a_private_game_and_no_game_are_answered_alike(alice: User, mallory: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, is_public=False)
    client = log_in(mallory)
    for action in ("join", "leave", "cancel", "decline", "rematch"):
        answers = [client.post(f"/games/{slug}/{action}/") for slug in (table.slug, "nosuchgame")]
        assert [each.status_code for each in answers] == [404, 404]
        assert [each["X-Error-Code"] for each in answers] == ["not-found", "not-found"]
        assert (
            answers[0].content.count(b"This game does not exist")
            == answers[1].content.count(b"This game does not exist")
            == 1
        )


def test_a_page_that_is_not_there_is_styled(db: None) -> None:
    response = Client().get("/nowhere/")
    assert response.status_code == 404
    assert "This page does not exist." in response.content.decode()
    assert "site/site.css" in response.content.decode()


def test_an_old_form_is_refused_with_what_to_do(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/play-bots/")
    assert response.status_code == 403
    assert "reload the page and try again" in response.content.decode()


@override_settings(ROOT_URLCONF="tests.games.views.broken")
def test_a_fault_of_ours_is_a_page_that_needs_nothing(db: None) -> None:
    response = Client(raise_request_exception=False).get("/broken/")
    assert response.status_code == 500
    assert "Your games are safe." in response.content.decode()


def test_every_error_page_is_there(db: None) -> None:
    for name in ("400", "403", "403_csrf", "404", "429", "500"):
        assert "<h1>" in render_to_string(f"{name}.html")


@pytest.mark.parametrize(
    "body",
    [{f"field-{number}": "1" for number in range(1001)}, {"name": "x" * 2_700_000}],
    ids=["1,001 fields", "2.7 MB"],
)
def test_far_too_much_is_refused_as_a_page(body: dict[str, str], alice: User, log_in: LogIn) -> None:
    encoded = "&".join(f"{name}={value}" for name, value in body.items())
    response = log_in(alice).post("/games/new/", encoded, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 400
    assert "nothing was changed" in response.content.decode()
    assert not Game.objects.exists()


def test_a_search_of_2000_characters_narrows_nothing(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(2, alice, bob)
    response = log_in(alice).get(
        "/history/", {"opponent": "a" * 2000, "variant": "(" * 2000, "result": "\u0130" * 2000}
    )
    assert response.status_code == 200
    assert response.content.decode().count('class="list__title"') == 2
