"""C18: every form and every address of the site is sent nonsense in whatever it reads; a new door cannot stay out.

What a page reads of a form or an address is not listed anywhere: it is seen while a form that it takes is sent. Each of
these names is then sent texts that no browser would send, twice over, and not at all; programs send values of other
types. No answer is a fault of ours, and one that refuses has changed nothing.

Each name meets one of the texts, drawn by it, in the proof twelve, and all of them by `STRANGE=50`.
"""

import json
import os
import random
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from django.core.cache import cache
from django.core.signals import got_request_exception
from django.db import connection, transaction
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from accounts.presence import noting
from games.actions.studies.write_comment import write_comment
from tests.proof import proof
from tests.reliability.nasty import TEXTS
from tests.reliability.outage import all_rows
from tests.reliability.test_without_database import changes
from tests.reliability.walk import Door, doors
from tests.reliability.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FORM = "application/x-www-form-urlencoded"
API = "/api/"
#: Tests that share the doors, so that processes can share the work.
PARTS = 4
#: Texts that each name meets in the proof.
MOST = int(os.environ.get("STRANGE", "12"))
#: What programs send in place of a number, a text or a list; what stands after it is no JSON.
VALUES: dict[str, Any] = {
    **TEXTS,
    "null": None,
    "yes": True,
    "minus one": -1,
    "a huge number": 2**63,
    "a larger number": 10**400,
    "a half": 0.5,
    "a float past the end": 1e308,
    "an empty list": [],
    "a long list": [1] * 10_000,
    "lists in lists": json.loads("[" * 200 + "]" * 200),
    "an object": {"": {"a": [None]}},
}
BROKEN = (
    "",
    "[" * 100_000,
    '{"number": NaN}',
    '{"number": 1e999}',
    "[]",
    "null",
    '"text"',
    '{"a": 1, "a": 2}',
    "\ufeff{}",
)
#: How programs send; pages send by the first.
METHODS = ("POST", "PUT", "PATCH", "DELETE")
#: Statements that may change something.
WRITES = ("INSERT", "UPDATE", "DELETE")


@dataclass
class Faults:
    """What went wrong while the doors were knocked at, and how much was asked."""

    rows: dict[str, list[Any]]
    found: list[str] = field(default_factory=list)
    asked: int = 0
    #: CPU seconds of the request that took most, and which.
    slowest: tuple[float, str] = (0.0, "")

    def hold(self, where: str, send: Callable[[], Any]) -> Any:
        """Send a request, undo it, and note a fault of ours, or a refusal that has changed something."""
        cache.clear()
        # Who was here a minute ago is written by any request: that is no change of this one's.
        noting.notes = noting.Notes()
        raised, writes = list[str](), list[str]()

        def note(**_about: Any) -> None:
            raised.append(traceback.format_exc(limit=-2).strip())

        def look(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
            writes.extend([sql] if sql.startswith(WRITES) else [])
            return execute(sql, *rest)

        got_request_exception.connect(note)
        try:
            with transaction.atomic():
                began = time.process_time()
                with connection.execute_wrapper(look):
                    answer = send()
                self.slowest = max(self.slowest, (time.process_time() - began, where))
                status = answer.status_code
                has_changed = status >= 400 and writes and changes(self.rows, all_rows())
                transaction.set_rollback(True)
        finally:
            got_request_exception.disconnect(note)
        self.asked += 1
        if status >= 500:
            self.found.append(f"{where}: {status} {' '.join(raised)}")
        if has_changed:
            self.found.append(f"{where}: {status}, and yet {has_changed}")
        return answer


@pytest.fixture(scope="module")
def known(world: World) -> list[Door]:
    """Return every door, one of each address: those about a game with one that is running."""
    world.comment = str(write_comment(world.people["alice"], world.study, move=0, text="Calm.", edition=1).pk)
    game = world.games["running", "public"]
    found = sorted(doors(world), key=lambda door: game.slug in door.path or game.invite_token in door.path)
    return [*{door.name: door for door in found}.values()]


@contextmanager
def reading() -> Iterator[list[tuple[int, str]]]:
    """Yield which names are read of which form or address meanwhile, both by what they are."""
    read: list[tuple[int, str]] = []
    former = {name: getattr(MultiValueDict, name) for name in ("__getitem__", "getlist", "__contains__")}

    def noting(name: str) -> Callable[..., Any]:
        def method(self: MultiValueDict[str, Any], key: str, *rest: Any) -> Any:
            if isinstance(self, QueryDict):
                read.append((id(self), str(key)))
            return former[name](self, key, *rest)

        return method

    with pytest.MonkeyPatch.context() as patch:
        for name in former:
            patch.setattr(QueryDict, name, noting(name), raising=False)
        yield read


def names_read(world: World, door: Door, faults: Faults) -> tuple[list[str], list[str]]:
    """Return which names an address reads of its form, and which of what follows its question mark."""
    in_form, in_address = dict.fromkeys(map(str, door.body)), dict[str, None]()
    for method in ("GET", "POST"):
        with reading() as read:
            answer = faults.hold(f"{method} {door.path}", partial(door.knock, world, method))
        request = getattr(answer, "wsgi_request", None)
        if request is None:
            continue
        in_form |= dict.fromkeys(name for whose, name in read if whose == id(request.POST))
        in_address |= dict.fromkeys(name for whose, name in read if whose == id(request.GET))
    return [*in_form], [*in_address]


def drawn(of: str, number: int, texts: dict[str, Any]) -> dict[str, Any]:
    """Return so many of the texts, always the same ones for what is asked."""
    chosen = random.Random(of).sample([*texts], min(number, len(texts)))
    return {what: texts[what] for what in chosen}


def encoded(pairs: list[tuple[str, str]]) -> str:
    """Return the pairs as they travel; halves of surrogate pairs become bytes that are no text."""
    return "&".join(f"{quote_plus(name)}={quote_plus(text.encode('utf-8', 'surrogatepass'))}" for name, text in pairs)


def pairs_of(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the fields of a form."""
    return [(name, str(each)) for name, kept in body.items() for each in (kept if isinstance(kept, list) else [kept])]


def forms(door: Door, names: list[str], number: int) -> Iterator[tuple[str, str]]:
    """Return forms of which one thing is wrong, each with what that is."""
    good = pairs_of(door.body)
    for name in names:
        others = [pair for pair in good if pair[0] != name]
        for what, text in drawn(f"{door.name} {name}", number, TEXTS).items():
            yield f"{name} {what}", encoded([*others, (name, text)])
        [(twice, text)] = drawn(f"{door.name} {name} twice", 1, TEXTS).items()
        yield f"{name} and {twice}", encoded([*good, (name, text)])
        yield f"{name} after {twice}", encoded([(name, text), *good])
        yield f"no {name}", encoded(others)
    yield "backwards", encoded(good[::-1])
    for what, text in drawn(door.name, number, TEXTS).items():
        yield f"everything {what}", encoded([(name, text) for name in names])


def bodies(door: Door, number: int) -> Iterator[tuple[str, str]]:
    """Return what a program sends of which one thing is wrong, each with what that is."""
    for name in [*door.body, "nonsense"]:
        for what, value in drawn(f"{door.name} {name}", number, VALUES).items():
            yield f"{name} {what}", json.dumps(door.body | {name: value})
        yield f"no {name}", json.dumps({other: kept for other, kept in door.body.items() if other != name})
    for text in drawn(door.name, number, {each[:20]: each for each in BROKEN}).values():
        yield f"{text[:20]!r}", text


def ask(world: World, door: Door, method: str, path: str, body: str = "") -> Any:
    """Send one request as the person of the door, with what no browser would send in it."""
    client = world.browser(door.role)
    if door.path.startswith(API):
        known = {"Authorization": f"Bearer {world.tokens[door.role]}"} if door.role in world.tokens else {}
        return client.generic(method, path, body.encode("utf-8", "surrogatepass"), "application/json", headers=known)
    return client.generic(method, path, body, FORM if body else "")


def questions(door: Door, names: list[str], number: int) -> Iterator[tuple[str, str]]:
    """Return addresses of which one thing is wrong, each with what that is."""
    for name in names:
        for what, text in drawn(f"{door.name}?{name}", number, TEXTS).items():
            yield f"?{name} {what}", f"{door.path}?{encoded([(name, text)])}"
    steps = door.path.split("/")
    for at, step in enumerate(steps):
        for what, text in drawn(f"{door.name} {at}", number, TEXTS).items() if step else ():
            strange = quote(text.encode("utf-8", "surrogatepass"), safe="")
            yield f"at {step} {what}", "/".join([*steps[:at], strange, *steps[at + 1 :]])


def is_taken(world: World, door: Door, method: str, faults: Faults) -> bool:
    """Return whether an address of the API takes anything by this method."""
    asked = partial(ask, world, door, method, door.path, json.dumps(door.body))
    return bool(faults.hold(f"{method} {door.name}", asked).status_code != 405)


def knock(world: World, door: Door, number: int, faults: Faults) -> None:
    """Send nonsense to a door: in its forms, or in what programs send there, and in its address."""
    is_api = door.path.startswith(API)
    in_form, in_address = names_read(world, door, faults)
    methods = [each for each in METHODS if is_taken(world, door, each, faults)] if is_api else METHODS[:1]
    for what, body in bodies(door, number) if is_api else forms(door, in_form, number):
        for method in methods:
            faults.hold(f"{method} {door.name}: {what}", partial(ask, world, door, method, door.path, body))
    for what, path in questions(door, in_address, number):
        faults.hold(f"GET {door.name} {what}", partial(ask, world, door, "GET", path))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("number", [1, *proof(MOST)])
def test_nonsense_at_any_door_is_no_fault_of_ours_and_what_is_refused_changes_nothing(
    world: World, known: list[Door], number: int, part: int
) -> None:
    faults = Faults(all_rows())
    for door in known[part::PARTS]:
        knock(world, door, number, faults)
    took, where = faults.slowest
    print(f"{faults.asked} requests, the slowest {1000 * took:.0f} ms of CPU: {where}")  # noqa: T201
    assert not faults.found, "\n\n".join([f"{len(faults.found)} of {faults.asked}", *faults.found[:40]])
    assert faults.asked > 300
