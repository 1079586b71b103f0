"""A busy machine: how long moves and bots take beside programs that take all the processors they can get.

Starts the whole site as `make run` does, on SQLite. People place by the API while four tables of the strongest bots
think, strangers sign up and e-mails about turns go out: first so, then beside an endless loop at the usual priority on
each processor. The same is measured both times: the seconds until a person's placement is committed, until the bot at
the same table, of level 0 to 5 in turn, has answered, from a move to the planned one that follows it, and until what
people say, an invitation and a block are stored. The site puts off who asks it more than a hundred times a minute; so
people wait beforehand, while nothing is timed, where that would come. What was put off all the same is told.

The exit status is 1 where beside the loops something is stored or answered later than it may be.

    python -m benchmarks.busy_machine --moves 200 --loops 2
"""

import argparse
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

from benchmarks.aims import judge
from benchmarks.slow_neighbours import running
from benchmarks.whole_site import HOST, django, serving
from clients.python.blockyou import Client, Problem, SeatRequest

Done = TypeVar("Done")

#: What wants all the processor that it can get.
LOOP = "while True: pass"
#: Makes people with confirmed addresses, and prints a token for each.
PEOPLE = """
from django.utils import timezone
from allauth.account.models import EmailAddress
from accounts.models import Scope
from accounts.tokens import make_token
for number in range({people}):
    email = f"placer{{number}}@example.org"
    user = User.objects.create_user(username=f"placer{{number}}", email=email)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    scopes = [Scope.READ, Scope.PLAY, Scope.TABLES, Scope.TALK, Scope.PEOPLE]
    print(make_token(user, "busy", scopes, timezone.now()))
"""
#: Four tables of the strongest bots, which are among themselves.
THINK = """
user, _session = person("host")
for number in range({tables}):
    seats = tuple(SeatSetup(kind="bot", bot="sage-9", seed=4 * number + seat) for seat in range(4))
    create_game(user, GameSetup(variant="blockyou-4", seats=seats))
"""
#: Opens for each pair of people a game of theirs, and one of the first of them with each bot; prints what they are
#: called in addresses, a line a pair.
GAMES = """
from games.actions.tables.join_game import join_game
for first in range(0, {people}, 2):
    one, other = (User.objects.get(username=f"placer{{number}}") for number in (first, first + 1))
    shared = create_game(one, GameSetup(variant="duo", seats=(SeatSetup(kind="me"), SeatSetup(kind="open"))))
    join_game(other, shared.slug)
    bots = [(SeatSetup(kind="me"), SeatSetup(kind="bot", bot=name)) for name in {bots}]
    print(shared.slug, *(create_game(one, GameSetup(variant="duo", seats=seats)).slug for seats in bots))
"""
#: People who place in turn, in pairs.
PLACERS = 32
#: How many requests of one person the API answers in each minute of the clock (games/api/door.py).
REQUESTS_A_MINUTE = 100
#: How many requests are kept in hand for what is timed: for a placement, and for a placement with the looks whether the
#: bot has answered, or whether the planned move is there, within `ANSWERED` seconds.
FOR_A_MOVE, FOR_AN_ANSWER = 10, 40
#: The bots that answer, one a game.
BOTS = ("random", "greedy", "sage-2", "sage-3", "sage-4", "sage-5")
#: Of the games of two people.
COLOURS = ("purple", "orange")
#: Seconds after which a planned move is waited for no longer.
PLANNED_WITHIN = 30.0
#: Seconds between two sign-ups, and between two looks whether a bot has answered.
SIGN_UP_EVERY, LOOK_EVERY = 1.0, 0.2
#: Seconds in which a placement is to be committed, and a bot to have answered.
COMMITTED, ANSWERED = 1.0, 5.0


@dataclass
class Measured:
    """What was met in one way: seconds until each thing was stored, and bots had answered."""

    commits: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    sign_ups: list[float] = field(default_factory=list)
    planned: list[float] = field(default_factory=list)
    lines: list[float] = field(default_factory=list)
    invitations: list[float] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)
    refused: int = 0


class Placer(Client):
    """A person's program, which knows how often it has asked in this minute, and what it was told to wait for."""

    minute, asked, put_off = 0, 0, 0

    def make_room(self, requests: int) -> None:
        """Wait for the next minute, unless that many requests are still answered in this one."""
        minute = int(time.time() // 60)
        if minute == self.minute and self.asked + requests > REQUESTS_A_MINUTE:
            time.sleep((minute + 1) * 60 - time.time())

    def _sent(self, method: str, address: str, body: Mapping[str, Any] | None) -> bytes:
        minute = int(time.time() // 60)
        self.minute, self.asked = minute, self.asked + 1 if minute == self.minute else 1
        try:
            return super()._sent(method, address, body)
        except Problem as problem:
            self.put_off += problem.retry_after is not None
            raise


def main() -> None:
    """Measure without the loops, then beside them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=200, help="of people, each way")
    parser.add_argument("--loops", type=int, default=os.cpu_count(), help="endless loops (default: one a processor)")
    parser.add_argument("--tables", type=int, default=4, help="of the strongest bots")
    parser.add_argument("--placers", type=int, default=PLACERS, help="people, in pairs")
    parser.add_argument("--port", type=int, default=8167)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "DATABASE_URL": f"sqlite:///{Path(folder, 'db.sqlite3')}",
            "EMAIL_URL": f"file://{folder}/mails",
            "PORT": str(options.port),
            "VAR_DIR": folder,
        }
        with serving(environment, options.port):
            tokens = django(PEOPLE.format(people=options.placers), environment).split()
            people = [Placer(f"http://{HOST}:{options.port}", token) for token in tokens]
            django(THINK.format(tables=options.tables), environment)
            found = {"without": play(options.port, environment, people, options.moves)}
            with endless(options.loops):
                found["beside"] = play(options.port, environment, people, options.moves)
    for name, measured in found.items():
        tell(f"{name} {options.loops} endless loops", measured)
    for what in ("commits", "answers", "planned", "sign_ups", "lines", "invitations", "blocks"):
        before, after = (statistics.median(getattr(measured, what)) for measured in found.values())
        print(f"{what:11} beside the loops: {after / before:.1f} x without")
    print(f"{sum(person.put_off for person in people)} requests of people were put off by the site")
    judge(aims_of(found["beside"], options.moves))


def aims_of(beside: Measured, moves: int) -> dict[str, bool]:
    """Return what so many moves beside the loops are to come to (D12), and whether they do."""
    taken = {
        "placements": beside.commits,
        "planned moves": beside.planned,
        "lines said": beside.lines,
        "blocks": beside.blocks,
    }
    aims = {
        f"{what} within {COMMITTED:g} s": all(each <= COMMITTED for each in seconds) for what, seconds in taken.items()
    }
    aims[f"bots' answers within {ANSWERED:g} s"] = all(each <= ANSWERED for each in beside.answers)
    return {
        f"{moves} placements, and some of all else": len(beside.commits) >= moves
        and all((*taken.values(), beside.answers)),
        "nothing is refused": not beside.refused,
        **aims,
    }


@contextmanager
def endless(loops: int) -> Iterator[None]:
    """Keep so many processes busy until the block ends."""
    busy = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def play(port: int, environment: dict[str, str], placers: list[Placer], moves: int) -> Measured:
    """Make `moves` placements of people, at tables with bots and at tables of two, while strangers sign up."""
    measured, is_over = Measured(), threading.Event()
    lines = django(GAMES.format(people=len(placers), bots=BOTS), environment).splitlines()
    tables = [(placers[2 * pair : 2 * pair + 2], line.split()) for pair, line in enumerate(lines)]
    with running([lambda: sign_up_again_and_again(port, measured, is_over)]):
        try:
            for people, (shared, *with_bots) in itertools.cycle(tables):
                for slug in with_bots:
                    play_with_bot(people[0], slug, measured)
                play_among_people(people, shared, measured)
                play_as_planned(people, shared, measured)
                meet(people, shared, measured)
                if len(measured.commits) >= moves:
                    break
        finally:
            is_over.set()
    return measured


def play_with_bot(person: Placer, slug: str, measured: Measured) -> None:
    """Place once, and wait until the bot has answered. A game that is over is left alone."""
    person.make_room(FOR_AN_ANSWER)
    if not wait_for_turn(person, slug):
        return
    place(person, slug, measured)
    began = time.monotonic()
    wait_for_turn(person, slug)
    measured.answers.append(time.monotonic() - began)


def wait_for_turn(person: Client, slug: str) -> bool:
    """Wait until it is the person's turn; return False if the game is over."""
    while not (game := person.game(slug))["may"]["place"]:
        if game["status"] != "running":
            return False
        time.sleep(LOOK_EVERY)
    return True


def play_among_people(people: list[Placer], slug: str, measured: Measured) -> None:
    """Play a few moves of a game of two people, each of whom hears of turns by e-mail, until it is over."""
    for _ in range(4):
        for person in people:
            person.make_room(FOR_A_MOVE)
        mover = next((person for person in people if person.game(slug)["may"]["place"]), None)
        if mover is not None:
            place(mover, slug, measured)


def play_as_planned(people: list[Placer], slug: str, measured: Measured) -> None:
    """Plan a move for the player who waits, place for the other, and note how long after it the planned one is seen."""
    for person in people:
        person.make_room(FOR_AN_ANSWER)
    mover = next((person for person in people if person.game(slug)["may"]["place"]), None)
    if mover is None:
        return
    [waiter] = (person for person in people if person is not mover)
    number, due = mover.game(slug)["number"], mover.placements(slug)["colour"]
    [colour] = (each for each in COLOURS if each != due)
    legal = waiter.placements(slug, colour=colour, texts=True).get("placements")
    if not legal:
        return
    # The last of them is far from the first, which the other places.
    edition = waiter.plan(slug)["edition"]
    waiter.set_plan(slug, [{"choices": [{"move": legal[-1]}]}], number=number, edition=edition)
    place(mover, slug, measured)
    began = time.monotonic()
    while waiter.game(slug)["number"] <= number + 1:
        if waiter.plan(slug)["stopped"] or time.monotonic() > began + PLANNED_WITHIN:
            return
        time.sleep(LOOK_EVERY / 2)
    measured.planned.append(time.monotonic() - began)


def meet(people: list[Placer], slug: str, measured: Measured) -> None:
    """Say something at the table, invite the other to another one, be blocked by the other, and forget it again."""
    one, other = people
    for person in people:
        person.make_room(FOR_A_MOVE)
    names = [str(person.me()["name"]) for person in people]
    timed(lambda: one.send_message(slug, phrase="hello"), measured.lines, measured)
    seats: list[SeatRequest] = [{"kind": "me"}, {"kind": "named", "name": names[1]}]
    table = timed(lambda: one.create_game("duo", seats), measured.invitations, measured)
    timed(lambda: other.block_person(names[0]), measured.blocks, measured)
    other.unblock_person(names[0])
    if table is not None:
        one.cancel_game(table["slug"])


def timed(act: Callable[[], Done], taken: list[float], measured: Measured) -> Done | None:
    """Return what a person's act comes to, None where it is refused, and note how long it takes."""
    began = time.monotonic()
    try:
        return act()
    except Problem:
        measured.refused += 1
        return None
    finally:
        taken.append(time.monotonic() - began)


def place(person: Client, slug: str, measured: Measured) -> None:
    """Place what can be placed first, and note how long it takes until that is acknowledged."""
    number = person.game(slug)["number"]
    first = person.placements(slug)["ids"][0]
    timed(lambda: person.play_placement(slug, number, id=first), measured.commits, measured)


def sign_up_again_and_again(port: int, measured: Measured, is_over: threading.Event) -> None:
    """Sign strangers up with an address, each from an address of this machine of their own."""
    number = 0
    while not is_over.wait(SIGN_UP_EVERY):
        number += 1
        began = time.monotonic()
        sign_up(port, f"s{int(began * 1000)}", f"127.7.{number // 250}.{1 + number % 250}")
        measured.sign_ups.append(time.monotonic() - began)


def sign_up(port: int, name: str, source: str) -> None:
    """Sign one person up as a browser does."""
    link = HTTPConnection(HOST, port, timeout=120, source_address=(source, 0))
    link.request("GET", "/accounts/signup/")
    page = link.getresponse()
    text = page.read().decode()
    cookies = SimpleCookie()
    for header in page.headers.get_all("Set-Cookie", []):
        cookies.load(header)
    sent = "; ".join(f"{key}={morsel.value}" for key, morsel in cookies.items())
    found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)
    form = {"username": name, "email": f"{name}@example.org", "password1": "seven-corners-of-a-board"}
    body = urlencode({"csrfmiddlewaretoken": found[1] if found else "", **form})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": sent}
    link.request("POST", "/accounts/signup/", body, {**headers, "Origin": f"http://{HOST}:{port}"})
    answer = link.getresponse()
    answer.read()
    link.close()
    if answer.status != 302:
        raise ConnectionError(f"A sign-up was answered {answer.status}.")


def tell(name: str, measured: Measured) -> None:
    """Print what was measured in one way."""
    print(f"{name}:")
    for what, taken, most in (
        ("placements committed", measured.commits, COMMITTED),
        ("bots answered", measured.answers, ANSWERED),
        ("planned moves", measured.planned, COMMITTED),
        ("sign-ups", measured.sign_ups, COMMITTED),
        ("lines said", measured.lines, COMMITTED),
        ("invitations", measured.invitations, COMMITTED),
        ("blocks", measured.blocks, COMMITTED),
    ):
        within = sum(each <= most for each in taken)
        worst = max(taken, default=0.0)
        median = statistics.median(taken) if taken else 0.0
        print(f"  {what:21} {within} of {len(taken)} within {most:g} s; median {median:.3f} s, longest {worst:.2f} s")
    if measured.refused:
        print(f"  {measured.refused} requests were refused")


if __name__ == "__main__":
    main()
