"""Serve HTTP and WebSockets in this process: `manage.py web --port 8001`, behind a proxy or a supervisor."""

import gc
import sys
from argparse import BooleanOptionalAction
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.core.signals import request_started
from django.db import close_old_connections, reset_queries
from django.template import engines
from django.template.loader import get_template
from django.urls import reverse
from django.utils import formats, translation
from django.utils.autoreload import run_with_reloader

from accounts.readers import zones
from blockyou.processes.draining import DrainingServer
from blockyou.processes.network import BACKLOG
from games.base.positions import load_boards

#: Seconds for which a thread may keep the interpreter while another waits for it; Python's own are ten times as many.
SWITCH_SECONDS = 0.0005


class Command(BaseCommand):
    """Serve HTTP and WebSockets by Daphne, in one process."""

    help = "Serves HTTP and WebSockets in this process. Several may share the work on PostgreSQL and Redis."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on (default: 8000)")
        parser.add_argument("--fd", type=int, help="an open listening socket to use instead of host and port")
        parser.add_argument(
            "--reload", action=BooleanOptionalAction, default=False, help="start again when code changes"
        )

    def handle(self, *args: Any, host: str, port: int, fd: int | None, **options: Any) -> None:
        listening = f"fd:fileno={fd}" if fd is not None else f"tcp:port={port}:interface={host}:backlog={BACKLOG}"
        if options["reload"]:
            # The watcher has the main thread, the only one that may handle signals.
            run_with_reloader(run_server, listening, shares_port=fd is not None, handles_signals=False)
        else:
            run_server(listening, shares_port=fd is not None, handles_signals=True)


def run_server(listening: str, *, shares_port: bool, handles_signals: bool) -> None:
    """Serve on a Twisted endpoint until asked to stop. A port that is shared belongs to the supervisor as well."""
    from blockyou.asgi import application

    load_what_pages_use()
    settle_memory()
    settle_threads()
    server = DrainingServer(
        shares_port=shares_port,
        counts_addresses=settings.ALLAUTH_TRUSTED_PROXY_COUNT == 0,
        application=application,
        endpoints=[listening],
        signal_handlers=handles_signals,
        http_timeout=60,
        application_close_timeout=5,
        server_name="Block-You",
        verbosity=0,
    )
    server.run()
    if server.is_stuck:
        raise SystemExit(1)


def load_what_pages_use() -> None:
    """Load boards, every view, catalogues, zones and templates of a game: three quarters of a second of CPU.

    Whoever comes first would wait for it otherwise, and all who come meanwhile: a balancer sends people to a process as
    soon as it listens.
    """
    load_boards()
    reverse("home")
    zones.known()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            translation.gettext("")
            formats.get_format("DATE_FORMAT")
    # The engine loads its context processors when it is first asked for them.
    _ = engines["django"].engine.template_context_processors  # type: ignore[attr-defined]
    for name in ("base.html", "games/play/page.html", "games/play/fragment.html"):
        get_template(name)


def settle_memory() -> None:
    """Leave what start-up made out of every later collection, and collect the young less often.

    A full collection otherwise walks all of Django and the tables of the rules, a pause that every open page feels.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def settle_threads() -> None:
    """Switch between threads more often, and do nothing in a request's thread before its page.

    The event loop gives the interpreter away with every message that it sends. While a thread drew the page of a player
    who had moved, the loop waited up to 5 ms to have it back, and so did the others' pages for word of the move.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    # A thread of its own answers each request, with a connection of its own: there is none yet to be looked after.
    for hear in (reset_queries, close_old_connections):
        request_started.disconnect(hear)
