"""Somebody who plays by HTTP alone: cookies, forms, no JavaScript. Standard library only."""

import re
import time
from html import unescape
from http.cookiejar import CookieJar
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

# In a fresh clone the engines are compiled before the first bot answers: up to 32 s of a core of its own.
PATIENCE = 240.0


class Player:
    """A guest at the table, at any of the site's processes: the cookies hold for all of them."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar))
        self.game = ""

    def get(self, path: str) -> str:
        """Return the page."""
        with self.opener.open(self.site + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def post(self, page: str, path: str, **fields: str) -> str:
        """Send the form of a page as a browser would and return the address it led to."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token, f"no form on the page before {path}"
        body = urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        with self.opener.open(self.site + path, data=body, timeout=PATIENCE) as answer:
            return str(urlsplit(answer.geturl()).path)

    def cookies(self) -> str:
        """Return the Cookie header."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.jar)

    def sit_down(self) -> str:
        """Become a guest in a new game against bots and return its address."""
        self.game = self.post(self.get("/"), "/play-bots/")
        assert re.fullmatch(r"/games/[a-z0-9]+/", self.game), self.game
        return self.game

    def wait_for_turn(self) -> tuple[str, list[str]]:
        """Return the page that lists the pieces, and their names, once it is this player's turn to place."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            page = self.get(f"{self.game}placements/")
            pieces = re.findall(r'href="\?piece=(\w+)"', page)
            if pieces:
                return page, pieces
            time.sleep(0.1)
        raise AssertionError(f"the turn did not come within {PATIENCE:.0f} s")

    def is_due(self) -> bool:
        """Return whether it is this player's turn to place."""
        return re.search(r'href="\?piece=\w+"', self.get(f"{self.game}placements/")) is not None

    def wait_for_moves(self, number: int) -> None:
        """Return once the game has at least so many moves."""
        deadline = time.monotonic() + PATIENCE
        while self.moves() < number:
            assert time.monotonic() < deadline, f"there was no move {number} within {PATIENCE:.0f} s"
            time.sleep(0.1)

    def place_something(self) -> str:
        """Play a legal placement when the turn comes, and return it."""
        _, pieces = self.wait_for_turn()
        page = self.get(f"{self.game}placements/?piece={pieces[0]}")
        placement = unescape(re.findall(r'name="placement"\s+value="([^"]+)"', page)[0])
        number = re.findall(r'name="number"\s+value="(\d+)"', page)[0]
        assert self.post(page, f"{self.game}place/", placement=placement, number=number) == self.game
        return placement

    def moves(self) -> int:
        """Return how many moves the game has, by its replay's last step."""
        page = self.get(f"{self.game}replay/")
        return max((int(number) for number in re.findall(r"\?move=(\d+)", page)), default=0)
