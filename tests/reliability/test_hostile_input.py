"""C18, C19: whatever is put into an address, a form or a header, the answer is a refusal, never an error of ours."""

import re
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from django.core.cache import cache
from django.db import transaction

from games.models import Game
from tests.games.tables import rows
from tests.reliability.nasty import PLACEMENTS, TEXTS
from tests.reliability.world import BODIES, World, legal_body

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
GOOD_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
NO_KEYS = {what: text for what, text in TEXTS.items() if text and not GOOD_KEY.fullmatch(text)}
#: What is over already is dropped or ended once more, whatever number it has.
NO_NUMBERS = {what: text for what, text in TEXTS.items() if what != "past the end"}
MOVES = [
    ("game-place", "placement", {**TEXTS, **PLACEMENTS}),
    ("game-place", "number", TEXTS),
    ("game-place", "key", NO_KEYS),
    ("game-typed", "text", {**TEXTS, **PLACEMENTS}),
    ("game-typed", "number", TEXTS),
    ("game-pass", "number", TEXTS),
    ("game-pass", "key", NO_KEYS),
    ("game-pause", "pause", TEXTS),
    ("game-resume", "pause", TEXTS),
    ("game-step", "pause", TEXTS),
    ("game-pause-ask", "pause", TEXTS),
    ("game-pause-agree", "request", TEXTS),
    ("game-pause-drop", "request", NO_NUMBERS),
    ("game-pause-end", "pause", NO_NUMBERS),
    ("game-step", "number", TEXTS),
    ("game-takeback-ask", "number", TEXTS),
    ("game-takeback-agree", "request", TEXTS),
    ("game-takeback-drop", "request", NO_NUMBERS),
]
#: What only says which news the page has had: any text is let through, and none of it fails.
NEWS = ["game-place", "game-typed", "game-pass", "game-back"]
PAGES = [
    ("lobby", "page"),
    ("history", "page"),
    ("history", "opponent"),
    ("history", "variant"),
    ("history", "result"),
    ("player", "page"),
    ("my-games", "page"),
    ("my-games", "show"),
    ("new-game", "variant"),
    ("game", "token"),
    ("game-board", "token"),
    ("game-board", "since"),
    ("game-ask", "say"),
    ("game-ask", "piece"),
    ("game-ask", "from"),
    ("game-ask", "token"),
    ("game-placements", "piece"),
    ("replay", "move"),
    ("replay", "token"),
    ("game-away", "move"),
    ("game-away", "token"),
    ("embed", "move"),
    ("game-picture", "move"),
    ("game-animation", "token"),
    ("game-record-json", "token"),
    ("studies", "page"),
    ("study", "move"),
    ("study", "branch"),
    ("game-compare", "one"),
    ("game-compare", "other"),
    ("study-compare", "one"),
    ("study-compare", "other"),
    ("from-game", "move"),
    ("from-game", "node"),
    ("from-game", "token"),
    ("from-study", "move"),
    ("from-study", "branch"),
    ("learn", "lesson"),
    ("learn", "placement"),
    ("health", "only"),
    ("account_login", "next"),
    ("own-name", "next"),
    ("own-name", "name"),
]
HEADERS = ("Accept-Language", "If-None-Match", "Cookie", "Referer", "X-Forwarded-For", "HX-Request", "HX-Current-URL")


def ask(world: World, method: str, path: str, form: dict[str, str], role: str = "alice", **headers: str) -> Any:
    """Send one request, with what no browser would send in it, and undo it."""
    cache.clear()
    with transaction.atomic():
        client = world.browser(role)
        answer = client.generic(method, path, encoded(form), FORM if form else "", headers=headers)
        answer.wsgi_request.session  # noqa: B018  (a lazy session would be read outside of what is undone)
        transaction.set_rollback(True)
    return answer


def encoded(form: dict[str, str]) -> str:
    """Return the form as it travels; halves of surrogate pairs become bytes that are no text."""
    return "&".join(f"{name}={quote_plus(text.encode('utf-8', 'surrogatepass'))}" for name, text in form.items())


def in_path(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


def running(world: World) -> Game:
    return world.games["running", "private"]


@pytest.mark.proof
@pytest.mark.parametrize(("name", "field", "texts"), MOVES)
def test_a_move_of_nonsense_is_refused_and_changes_nothing(
    world: World, name: str, field: str, texts: dict[str, str]
) -> None:
    path, good, before = world.path(name, running(world)), legal_body(name, running(world)), rows()
    found = {what: ask(world, "POST", path, {**good, field: text}).status_code for what, text in texts.items()}
    assert {what: status for what, status in found.items() if status not in {400, 403, 409, 422}} == {}
    assert rows() == before


@pytest.mark.proof
@pytest.mark.parametrize("name", NEWS)
def test_a_version_of_nonsense_is_no_error(world: World, name: str) -> None:
    path, good = world.path(name, running(world)), legal_body(name, running(world))
    found = {what: ask(world, "POST", path, {**good, "version": text}).status_code for what, text in TEXTS.items()}
    assert {what: status for what, status in found.items() if status not in {200, 302, 403, 409, 422}} == {}


@pytest.mark.proof
@pytest.mark.parametrize("field", [*BODIES["new-game"], "name", "dealing", "seat-1-name", "seat-0-colour"])
def test_a_table_of_nonsense_is_refused_or_is_a_table(world: World, field: str) -> None:
    good = {**BODIES["new-game"], **({"seat-1": "named"} if field == "seat-1-name" else {})}
    path = world.path("new-game")
    found = {what: ask(world, "POST", path, {**good, field: text}).status_code for what, text in TEXTS.items()}
    assert {what: status for what, status in found.items() if status not in {302, 422}} == {}


@pytest.mark.proof
def test_only_known_names_can_be_invited(world: World) -> None:
    good, path = {**BODIES["new-game"], "seat-1": "named"}, world.path("new-game")
    found = {what: ask(world, "POST", path, {**good, "seat-1-name": text}).status_code for what, text in TEXTS.items()}
    assert set(found.values()) == {422}


@pytest.mark.proof
@pytest.mark.parametrize("role", ["nobody", "eve"])
def test_no_nonsense_opens_a_private_table(world: World, role: str) -> None:
    path, before = world.path("game-join", world.games["open", "private"]), rows()
    for field in ("token", "seat"):
        found = {what: ask(world, "POST", path, {field: text}, role).status_code for what, text in TEXTS.items()}
        assert {what: status for what, status in found.items() if status != 404} == {}
    assert rows() == before


def test_a_seat_of_nonsense_is_no_seat_or_any(world: World) -> None:
    path = world.path("game-join", world.games["open", "public"])
    found = {what: ask(world, "POST", path, {"seat": text}, "eve").status_code for what, text in TEXTS.items()}
    assert set(found.values()) <= {302, 409}


@pytest.mark.parametrize("field", ["text", "title"])
def test_a_record_of_nonsense_is_refused_or_is_a_study(world: World, field: str) -> None:
    path, good = world.path("studies"), BODIES["studies"]
    found = {what: ask(world, "POST", path, {**good, field: text}).status_code for what, text in TEXTS.items()}
    assert {what: status for what, status in found.items() if status not in {302, 422}} == {}


@pytest.mark.proof
@pytest.mark.parametrize(("name", "field"), PAGES)
def test_a_page_asked_for_with_nonsense_is_shown_or_refused(world: World, name: str, field: str) -> None:
    path = world.path(name, running(world))
    found = {
        what: ask(world, "GET", f"{path}?{encoded({field: text})}", {}).status_code for what, text in TEXTS.items()
    }
    assert {what: status for what, status in found.items() if status not in {200, 302, 400, 404}} == {}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/games/", "/"),
        ("/players/", "/"),
        ("/accounts/confirm-email/", "/"),
        ("/", ""),
        *(
            pytest.param(*ends, marks=pytest.mark.proof)
            for ends in (
                ("/games/", "/board/"),
                ("/games/", "/replay/"),
                ("/games/", "/record.json"),
                ("/studies/", "/"),
                ("/studies/", "/record.blksgf"),
                ("/games/", "/placements/"),
                ("/join/", "/"),
                ("/accounts/unsubscribe/", "/"),
                ("/accounts/password/reset/key/1-", "/"),
            )
        ),
    ],
)
def test_an_address_of_nonsense_leads_nowhere(world: World, before: str, after: str) -> None:
    texts = {what: text for what, text in TEXTS.items() if text.strip()}
    found = {what: ask(world, "GET", before + in_path(text) + after, {}).status_code for what, text in texts.items()}
    wanted = {200} if "confirm-email" in before or "reset" in before else set()
    assert {what: status for what, status in found.items() if status not in {404, *wanted}} == {}


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_of_nonsense_does_no_harm(world: World, header: str, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    good = legal_body("game-place", running(world))
    for what in ("word", "5,000 digits", "quoted", "markup", "percent"):
        text = TEXTS[what]
        page = ask(world, "GET", world.path("game-board", running(world)), {}, **{header: text})
        move = ask(world, "POST", world.path("game-place", running(world)), good, **{header: text})
        guest = ask(world, "POST", "/play-bots/", {}, "nobody", **{header: text})
        assert max(page.status_code, move.status_code, guest.status_code) < 500, what


@pytest.mark.parametrize("name", ["game-place", "new-game", "game-join", "account_login", "account_signup"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"placement": NaN, "number": 1e400}'),
        ("application/json", b"[" * 100_000),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n--x--"),
        ("multipart/form-data", b"no boundary"),
        ("multipart/form-data; boundary=" + "x" * 500, b""),
        ("application/x-www-form-urlencoded; charset=utf-7", b"number=+AAA-"),
        ("application/x-www-form-urlencoded; charset=none", b"number=1"),
        (FORM, b"&".join(b"field%d=1" % number for number in range(1001))),
        (FORM, b"name=" + b"x" * 2_600_000),
        (FORM, b"\xff\xfe%zz&=&&==;number"),
        ("", b""),
    ],
)
def test_a_body_of_nonsense_is_refused(world: World, name: str, kind: str, body: bytes) -> None:
    path = world.path(name, running(world))
    cache.clear()
    answer = world.browser("eve").generic("POST", path, body, kind)
    assert answer.status_code in {200, 302, 400, 404, 413, 422}
