"""A form that cannot be read is refused once, plainly, and the request gives back all that it held."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse
from django.test import Client

from blockyou.middleware import ReadOnceMiddleware

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
PART = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'
UNREADABLE = {
    "a form in UTF-16": (f"{FORM}; charset=utf-16", b"a=b"),
    "a form in no text encoding": (f"{FORM}; charset=base64", b"a=b"),
    "a form in an encoding that always fails": (f"{FORM}; charset=undefined", b"a=b"),
    "a form of too many fields": (FORM, b"a=b&" * 1_001),
    "a form that is too large": (FORM, b"a=" + b"b" * 3_000_000),
    "parts without a boundary": ("multipart/form-data", PART),
    "parts with a boundary that is not ASCII": ("multipart/form-data; boundary=\u00e9", PART),
    "parts in no text encoding": ("multipart/form-data; boundary=x; charset=base64", PART),
    "parts in an encoding that always fails": ("multipart/form-data; boundary=x; charset=undefined", PART),
}
ADDRESSES = ("/play-bots/", "/accounts/login/", "/accounts/language/", "/studies/")


@pytest.fixture
def browser() -> Client:
    """Return a guest's browser, whose forms are checked against forgery as in production."""
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    client.post("/play-bots/", {"csrfmiddlewaretoken": client.cookies["csrftoken"].value})
    return client


@pytest.fixture
def finished() -> Iterator[list[Any]]:
    """Count the requests that Django has ended: at that signal a connection goes back to its pool."""
    seen: list[Any] = []

    def count(sender: Any, **_signal: Any) -> None:
        seen.append(sender)

    request_finished.connect(count)
    yield seen
    request_finished.disconnect(count)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("what", UNREADABLE)
def test_a_form_that_cannot_be_read_gets_one_plain_400(browser: Client, address: str, what: str) -> None:
    content_type, body = UNREADABLE[what]
    answer = browser.generic("POST", address, body, content_type)
    assert answer.status_code == 400
    assert "could not read the request" in answer.content.decode()
    assert "Content-Security-Policy" in answer.headers


@pytest.mark.parametrize("what", UNREADABLE)
def test_an_unreadable_form_to_an_address_that_does_not_exist_is_not_found(browser: Client, what: str) -> None:
    content_type, body = UNREADABLE[what]
    assert browser.generic("POST", "/nowhere/", body, content_type).status_code == 404


def test_an_unreadable_form_for_another_host_is_refused(browser: Client) -> None:
    content_type, body = UNREADABLE["a form in UTF-16"]
    answer = browser.generic("POST", "/play-bots/", body, content_type, headers={"host": "evil.example.com"})
    assert answer.status_code == 400


def test_forty_unreadable_forms_leave_the_site_as_it_was(browser: Client, finished: list[Any]) -> None:
    content_type, body = UNREADABLE["a form in UTF-16"]
    for _ in range(40):
        browser.generic("POST", "/play-bots/", body, content_type)
    browser.get("/games/")
    assert len(finished) == 41


def test_an_answer_comes_even_where_the_pages_of_errors_fail(caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: HttpRequest) -> HttpResponse:
        raise ZeroDivisionError

    answer = ReadOnceMiddleware(fail)(HttpRequest())
    assert answer.status_code == 500
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "ZeroDivisionError" in caplog.text
