"""A browser without a screen: it keeps cookies, sends the token against forgery, and follows nothing by itself."""

import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import IO

TIMEOUT = 30


class Unanswered(Exception):  # noqa: N818  (it is an outcome, not a fault)
    """The request got no answer: whether it was done is not known."""


@dataclass(frozen=True)
class Answer:
    """What the site said: the status, where it sends us on to, and the page."""

    status: int
    location: str
    body: str


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None


@dataclass
class Visitor:
    """One person at one browser."""

    url: str
    jar: CookieJar = field(default_factory=CookieJar)

    def __post_init__(self) -> None:
        # No proxy: the site is on this machine.
        proxies = urllib.request.ProxyHandler({})
        self._opener = urllib.request.build_opener(proxies, urllib.request.HTTPCookieProcessor(self.jar), _Stay())

    def get(self, path: str) -> Answer:
        """Return the page at this address."""
        return self._send(urllib.request.Request(self.url + path))

    def post(self, path: str, **form: str | list[str]) -> Answer:
        """Send a form as the page that holds it would."""
        headers = {"Origin": self.url, "X-CSRFToken": self.cookie("csrftoken")}
        data = urllib.parse.urlencode(form, doseq=True).encode()
        return self._send(urllib.request.Request(self.url + path, data, headers))

    def cookie(self, name: str) -> str:
        """Return the value of a cookie, empty without one."""
        return next((cookie.value or "" for cookie in self.jar if cookie.name == name), "")

    def _send(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=TIMEOUT) as response:
                return Answer(response.status, "", response.read().decode())
        except urllib.error.HTTPError as answer:
            with answer:
                return Answer(answer.code, answer.headers.get("Location", ""), answer.read().decode())
        except (OSError, HTTPException) as error:
            raise Unanswered(str(error)) from error


def arrive_as_guest(url: str) -> tuple[Visitor, str]:
    """Return a guest at a browser, and the address of the game against bots that made them one."""
    visitor = Visitor(url)
    visitor.get("/")
    answer = visitor.post("/play-bots/")
    assert answer.status == 302, answer.body
    return visitor, answer.location


def open_duel(host: Visitor, opponent: Visitor) -> str:
    """Return the address of a new private game of two, which the host begins and the opponent joined by its link."""
    form = {"variant": "blockyou-2", "days": "3", "is_public": "no", "passes": "automatic"}
    opened = host.post("/games/new/", **form, **{"seat-0": "me", "seat-1": "link"})
    assert opened.status == 302, opened.body
    token = found(r"/join/([\w-]+)/", host.get(opened.location).body)
    assert opponent.get(f"/join/{token}/").status == 200
    assert opponent.post(f"{opened.location}join/", token=token).status == 302
    return opened.location


def found(pattern: str, page: str) -> str:
    match = re.search(pattern, page)
    assert match, f"no {pattern} in the page:\n{page[:3000]}"
    return match[1]
