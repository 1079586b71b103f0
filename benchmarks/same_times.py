"""Whether time tells a login or an address that exists from one that does not (C9), at each page that is asked for one.

The site runs in this process as in production, passwords hashed as they are there. Both are asked for in turn, in an
order drawn anew each time. A p of more than 0.01 says that the times of a page do not tell them apart.

    python -m benchmarks.same_times               # 200 tries each, in about six minutes
    python -m benchmarks.same_times --tries 50
"""

import argparse
import io
import itertools
import math
import os
import random
import secrets
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Asks one page for what exists, or for what does not, and returns how long the answer took, in seconds.
Ask = Callable[[bool], float]

PASSWORD = "correct horse battery"
#: Asked before anything is measured: the first answers of a process are slow.
FIRST = 3


def main() -> None:
    """Measure every page, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=200, help="of each kind")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="block-you-same-") as folder:
        set_up(folder)
        print(f"{'':22}{'exists':>11}{'does not':>11}{'p':>9}   medians of {options.tries} tries each")
        for name, ask in asks():
            known, unknown = taken(ask, options.tries)
            medians = "".join(f"{statistics.median(each) * 1000:8.2f} ms" for each in (known, unknown))
            print(f"{name:22}{medians}{mann_whitney(known, unknown):9.3f}", flush=True)


def set_up(folder: str) -> None:
    """Prepare a site of one person, whose data lies in the folder."""
    os.environ.update(
        DATABASE_URL=f"sqlite:///{Path(folder, 'db.sqlite3')}",
        DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
        EMAIL_URL="smtp://127.0.0.1:1",
        SECRET_KEY=secrets.token_urlsafe(64),
        VAR_DIR=folder,
    )
    import django

    django.setup()
    from allauth.account.models import EmailAddress
    from django.core.management import call_command

    from accounts.models import User

    call_command("prepare", stdout=io.StringIO())
    alice = User.objects.create_user("alice", "alice@example.org", PASSWORD)
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)


@dataclass
class Page:
    """A page with a form, and what its fields say of somebody who exists and of one who does not."""

    path: str
    fields: Callable[[bool], dict[str, str]]

    def __call__(self, exists: bool) -> float:
        """Send the form as a new visitor whom no limit stops; return the seconds until it is answered."""
        from django.core.cache import cache
        from django.test import Client

        cache.clear()
        client, form = Client(), self.fields(exists)
        began = time.perf_counter()
        answer = client.post(self.path, form, secure=True, headers={"host": "127.0.0.1"})
        took = time.perf_counter() - began
        if answer.status_code not in (200, 302):
            raise RuntimeError(f"{self.path} answered {answer.status_code} instead of the page of every visitor")
        return took


def asks() -> Iterator[tuple[str, Ask]]:
    """Yield the pages by name."""
    number = itertools.count()

    def name(exists: bool) -> str:
        return "alice" if exists else f"nobody{next(number)}"

    def address(exists: bool) -> str:
        return f"{name(exists)}@example.org"

    def newcomer(exists: bool) -> dict[str, str]:
        return {"username": f"newcomer{next(number)}", "email": address(exists), "password1": PASSWORD}

    yield "log in by name", Page("/accounts/login/", lambda exists: {"login": name(exists), "password": "wrong"})
    yield "log in by address", Page("/accounts/login/", lambda exists: {"login": address(exists), "password": "wrong"})
    yield "sign up", Page("/accounts/signup/", newcomer)
    yield "reset a password", Page("/accounts/password/reset/", lambda exists: {"email": address(exists)})


def taken(ask: Ask, tries: int) -> tuple[list[float], list[float]]:
    """Return the times of so many answers about what exists, and about what does not."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(FIRST):
        ask(True), ask(False)
    for _ in range(tries):
        for exists in random.sample((True, False), 2):
            times[0 if exists else 1].append(ask(exists))
    return times


def mann_whitney(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the two-sided p that two samples come from one distribution, by ranks.

    In the normal approximation, with corrections for ties and for continuity: from about eight values each on.
    Source: H. B. Mann, D. R. Whitney, On a test of whether one of two random variables is stochastically larger than
    the other, 1947.
    """
    together = sorted((*some, *others))
    n, m = len(some), len(others)
    ranks: dict[float, float] = {}
    ties, before = 0, 0
    for value, count in Counter(together).items():
        ranks[value] = before + (count + 1) / 2
        before += count
        ties += count**3 - count
    u = sum(ranks[value] for value in some) - n * (n + 1) / 2
    deviation = math.sqrt(n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1))))
    z = max(0.0, abs(u - n * m / 2) - 0.5) / deviation if deviation else 0.0
    return 2 * statistics.NormalDist().cdf(-z)


if __name__ == "__main__":
    main()
