"""C22: every answer carries the headers that keep foreign code out, errors, redirects and static files included."""

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from blockyou import urls


def fail(request: HttpRequest) -> HttpResponse:
    """Fail as a view with a mistake does."""
    raise ZeroDivisionError


class WithAFailingView:
    """A URLconf with one more address, whose view fails."""

    urlpatterns = [*urls.urlpatterns, path("fail/", fail)]


@pytest.fixture
def site(settings: object) -> Client:
    settings.ROOT_URLCONF = WithAFailingView  # type: ignore[attr-defined]  # pytest-django's settings take any name
    return Client(raise_request_exception=False)


ADDRESSES = [
    ("/", 200),
    ("/no-such-page/", 404),
    ("/fail/", 500),
    ("/games", 301),
    ("/healthz?only=database", 200),
    ("/static/site/tokens.css", 200),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("address", "status"), ADDRESSES)
def test_every_answer_carries_the_headers(site: Client, address: str, status: int) -> None:
    response = site.get(address)
    response.close()
    assert response.status_code == status
    assert policy(response.headers["Content-Security-Policy"])["script-src"] == ["'self'"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in response.headers["Permissions-Policy"]


@pytest.mark.django_db
def test_a_foreign_host_is_refused_with_the_headers(client: Client) -> None:
    response = client.get("/", headers={"host": "evil.example.com"})
    assert response.status_code == 400
    assert "Content-Security-Policy" in response.headers


@pytest.mark.django_db
def test_a_form_without_its_token_is_refused_with_the_headers() -> None:
    response = Client(enforce_csrf_checks=True).post("/play-bots/")
    assert response.status_code == 403
    assert "Content-Security-Policy" in response.headers


def test_the_policy_allows_nothing_inline_and_nobody_else() -> None:
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    allowed = {str(source) for sources in directives.values() for source in sources}
    assert allowed == {"'self'", "'none'", "data:"}
    assert [name for name, sources in directives.items() if "data:" in sources] == ["img-src"]
    assert {"default-src", "base-uri", "form-action", "frame-ancestors"} <= set(directives)


def policy(header: str) -> dict[str, list[str]]:
    """Return the directives of a Content-Security-Policy header."""
    return {name: sources for name, *sources in (part.split() for part in header.split(";") if part.strip())}
