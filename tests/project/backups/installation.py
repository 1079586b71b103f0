"""An installation that is not running: a folder, a database of its own, and the commands of manage.py."""

import contextlib
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.browser.site import ROOT, Site, new_site


def manage(site: Site, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of manage.py in the site's environment."""
    surroundings = {"SECRET_KEY": secrets.token_urlsafe(64), **site.surroundings(), **environment}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, check=False)


def done(ran: "subprocess.CompletedProcess[str]") -> str:
    """Return what a command has said that did what was asked of it."""
    assert ran.returncode == 0, ran.stderr + ran.stdout
    return ran.stdout


def refusal(ran: "subprocess.CompletedProcess[str]") -> str:
    """Return the sentence of a command that did not do what was asked of it."""
    assert ran.returncode == 1, ran.stdout
    assert "Traceback" not in ran.stderr
    return ran.stderr


def is_postgresql(site: Site) -> bool:
    return site.environment["DATABASE_URL"].startswith("postgres")


def ask(site: Site, statement: str, address: str = "") -> list[tuple[Any, ...]]:
    """Return what a statement finds or leaves in the site's database, or in another one's."""
    address = address or site.environment["DATABASE_URL"]
    with contextlib.closing(connected(address)) as connection:
        cursor = connection.execute(statement)
        found = cursor.fetchall() if cursor.description else []
        connection.commit()
    return list(found)


def connected(address: str) -> Any:
    """Return a connection to the database at an address as in DATABASE_URL."""
    if not address.startswith("postgres"):
        return sqlite3.connect(address.removeprefix("sqlite:///"))
    import psycopg

    return psycopg.connect(address)


def people(site: Site, address: str = "") -> list[str]:
    """Return the names in the database, in order."""
    return [name for (name,) in ask(site, "SELECT username FROM accounts_user ORDER BY username", address)]


def audited(site: Site) -> str:
    """Return how an audit that finds no fault begins: how many games have started, of how many moves, and all equal."""
    ((games,),) = ask(site, "SELECT count(*) FROM games_game WHERE started_at IS NOT NULL")
    ((moves,),) = ask(site, "SELECT count(*) FROM games_move")
    return f"{games} games and {moves} moves replayed; {games}"


def demo_site(folder: Path) -> Site:
    """Return a site, not running, with the people and games of the demo."""
    site = new_site(folder)
    done(manage(site, "migrate", "--verbosity", "0"))
    done(manage(site, "seed_demo"))
    return site


@contextlib.contextmanager
def dropped(site: Site) -> Iterator[Site]:
    """Yield the site, and drop its databases on the server afterwards."""
    try:
        yield site
    finally:
        if is_postgresql(site):
            drop_databases(site.environment["DATABASE_URL"])


def drop_databases(address: str) -> None:
    """Drop the database on the server, and those whose names begin with its name."""
    import psycopg

    server, _, name = address.rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        for (found,) in connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [name]):
            connection.execute(f'DROP DATABASE "{found}" WITH (FORCE)')
