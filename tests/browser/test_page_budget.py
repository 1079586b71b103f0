"""What pages weigh on the wire, on a first visit and on the next: those of games, and where players think ahead."""

import gzip
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Response

from games.rules.variants import VARIANTS
from tests.browser.demo import Demo

KB = 1000
#: A game in its middle, of every kind of board; in all of them alice is to move.
SCENES = {
    "blockyou": "Corner cases",
    "classic": "Green for all",
    "duo": "En garde",
    "junior": "Two of each",
    "trigon": "Honeycomb",
    "codingame": "Ten by ten",
}


@dataclass
class Visit:
    """One look at a page: what crossed the wire for it, and what the browser made of it."""

    #: The bodies of what was fetched, by type, compressed with gzip.
    weights: dict[str, int] = field(default_factory=dict)
    #: Bytes received, headers included, whatever their encoding.
    received: int = 0
    hosts: list[str] = field(default_factory=list)
    nodes: int = 0


def visit(context: BrowserContext, address: str) -> Visit:
    """Open the page in a tab of its own and return what it took, all that is fetched after it included."""
    page, seen = context.new_page(), Visit()
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    fetched: dict[str, str] = {}
    received: dict[str, int] = {}
    responses: list[Response] = []
    network.on("Network.responseReceived", lambda event: note(fetched, event))
    network.on(
        "Network.loadingFinished",
        lambda event: received.update({event["requestId"]: int(event["encodedDataLength"])}),
    )
    page.on("response", lambda response: responses.append(response))
    page.goto(address, wait_until="networkidle")
    while fetched.keys() - received.keys():
        page.wait_for_timeout(20)
    seen.nodes = page.evaluate("document.getElementsByTagName('*').length")
    seen.hosts = [urlsplit(url).netloc for url in fetched.values()]
    seen.received = sum(received[key] for key in fetched)
    for response in responses:
        kind = response.request.resource_type
        seen.weights[kind] = seen.weights.get(kind, 0) + len(gzip.compress(response.body()))
    page.close()
    return seen


def note(fetched: dict[str, str], event: dict[str, Any]) -> None:
    """Keep the address of what came over the wire, not from the browser's own store."""
    response = event["response"]
    if not response["fromDiskCache"] and response["url"].startswith("http"):
        fetched[event["requestId"]] = response["url"]


def test_every_kind_of_board_is_weighed() -> None:
    assert {family.partition("-")[0] for family in VARIANTS} == SCENES.keys()


@pytest.mark.parametrize("family", SCENES)
def test_the_page_of_a_game_keeps_to_its_budget(
    browser: Browser, demo: Demo, as_alice: dict[str, Any], family: str
) -> None:
    context = browser.new_context(**as_alice)
    address = demo.site.url + demo.game(SCENES[family])
    first, again = visit(context, address), visit(context, address)
    context.close()

    assert first.weights["document"] <= 20 * KB
    assert first.weights["stylesheet"] <= 12 * KB
    assert first.weights["script"] <= 40 * KB
    # 75 without the face of titles and numbers: 10 kB that a device fetches once and keeps for a year.
    assert first.weights["font"] <= 10 * KB
    assert first.received <= 77.5 * KB
    assert len(first.hosts) <= 8
    assert set(first.hosts) == {urlsplit(demo.site.url).netloc}
    # With a bar for each player of what is placed.
    assert first.nodes <= 804
    assert again.received <= 22 * KB
    assert len(again.hosts) <= 2


@dataclass(frozen=True)
class Budget:
    """What a page may weigh: its parts in kB compressed, then all of it with what it fetches; and its nodes."""

    document: float
    stylesheet: float
    script: float
    received: float
    nodes: int


#: The pages on which players think ahead and look back, by the names of their addresses: the first of each.
THINKING = {
    "game-analysis": Budget(11, 13.5, 34, 71, 450),
    "game-branches": Budget(3, 8, 22, 47, 100),
    "game-compare": Budget(3, 8, 22, 47, 100),
    "game-plan": Budget(5, 8, 22, 49, 200),
    "game-away": Budget(6, 12.5, 26, 57, 300),
    "mistakes": Budget(3, 8.5, 22, 48, 100),
    "study-board": Budget(11, 13.5, 34, 71, 500),
    "study-branches": Budget(6.5, 8, 22, 51, 420),
    "study-compare": Budget(6, 8, 22, 48, 250),
}


@pytest.mark.parametrize("name", THINKING)
def test_a_page_on_which_players_think_ahead_or_look_back_keeps_to_its_budget(
    browser: Browser, demo: Demo, as_alice: dict[str, Any], name: str
) -> None:
    context = browser.new_context(**as_alice)
    address, budget = demo.site.url + demo.paths(name)[0], THINKING[name]
    first, again = visit(context, address), visit(context, address)
    context.close()

    for part in ("document", "stylesheet", "script"):
        assert first.weights.get(part, 0) <= getattr(budget, part) * KB, part
    assert first.weights["font"] <= 10 * KB
    assert first.received <= budget.received * KB
    assert len(first.hosts) <= 8
    assert set(first.hosts) == {urlsplit(demo.site.url).netloc}
    assert first.nodes <= budget.nodes
    assert again.received <= (budget.document + 1) * KB
    assert len(again.hosts) <= 2
