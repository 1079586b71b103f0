"""Every contract of pyproject.toml finds what it is there for: imports that break it, in modules old and new."""

from abc import ABC
from copy import deepcopy
from functools import cache
from pathlib import Path

import grimp
import pytest
from importlinter import Contract
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.contracts.protected import ProtectedContract

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = read_configuration(str(ROOT / "pyproject.toml"))
TYPES: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
    "protected": ProtectedContract,
}

#: By contract, what it has to find: an import from one module to another, or a module that is on no list (to nothing).
VIOLATIONS = {
    "The wiring stands on play, and play on people": [
        ("games.clock", "blockyou.env"),
        ("accounts.names", "games.clock"),
        ("accounts.brand_new", "blockyou.env"),
    ],
    "Inside play: who may know whom (a module that is not listed fails)": [
        ("games.roster.entries", "games.bots.factory"),
        ("games.words.brand_new", "games.bots.turns"),
        ("games.base.setup", "games.words.characters"),
        ("games.notifications.brand_new", "games.bots.turns"),
        ("games.queries.tables.turns", "games.words.names"),
        ("games.jobs", "games.models"),
        ("games.table.moves", "games.actions.moves.resign"),
        ("games.brand_new", ""),
    ],
    "Inside a table (what is not listed may stand anywhere)": [
        ("games.table.progress", "games.table.lifecycle"),
    ],
    "Inside the base (what is not listed may stand anywhere)": [
        ("games.base.setup", "games.base.access"),
    ],
    "Inside the background (a module that is not listed fails)": [
        ("games.background.sweep", "games.background.worker"),
        ("games.background.brand_new", ""),
    ],
    "Inside ratings: the fit of all games and what one does, then the scale (a module that is not listed fails)": [
        ("games.ratings.scale", "games.ratings.fit"),
        ("games.ratings.brand_new", ""),
    ],
    "Inside the rules: bottom-up (a module that is not listed fails)": [
        ("games.rules.pieces", "games.rules.board"),
        ("games.rules.brand_new", ""),
    ],
    "Inside notifications: what to say, how, and when (a module that is not listed fails)": [
        ("games.notifications.messages", "games.notifications.channels.email"),
        ("games.notifications.channels.brand_new", "games.notifications.deliver"),
        ("games.notifications.brand_new", ""),
    ],
    "Inside pages: the page of a game, other pages, what they share (a module that is not listed fails)": [
        ("games.pages.board.table", "games.pages.play.page"),
        ("games.pages.lists.cards", "games.pages.site.home"),
        ("games.pages.guide.learn", "games.pages.site.lobby"),
        ("games.pages.brand_new", ""),
    ],
    "Inside the pages' board: moves and placements, then players, then faces (what is not listed may stand anywhere)": [
        ("games.pages.board.table", "games.pages.board.clocks"),
    ],
    "Inside queries: engines and notices, a game, lists, people, tables (a module that is not listed fails)": [
        ("games.queries.tables.turns", "games.queries.play.state"),
        ("games.queries.people.known", "games.queries.lists.search"),
        ("games.queries.brand_new", ""),
    ],
    "Inside words: notices, sentences about one thing, names (what is not listed may stand anywhere)": [
        ("games.words.sentences", "games.words.names"),
        ("games.words.clocks", "games.words.deadlines"),
    ],
    "No circle in rooms where not every module is listed": [
        ("games.base.terms", "games.base.setup"),
        ("games.pages.board.faces", "games.pages.board.table"),
        ("games.table.progress", "games.table.lifecycle"),
        ("games.words.names", "games.words.notices"),
    ],
    "Inside accounts: requests, what they need, people (a module that is not listed fails)": [
        ("accounts.sessions", "accounts.models"),
        ("accounts.mail.outbox", "accounts.views"),
        ("accounts.forms.brand_new", "accounts.adapter"),
        ("accounts.brand_new", ""),
    ],
    "Inside the wiring: commands, processes, files, then what stands alone (a module that is not listed fails)": [
        ("blockyou.env", "blockyou.settings.base"),
        ("blockyou.install.brand_new", "blockyou.processes.serve"),
        ("blockyou.urls", "blockyou.asgi"),
        ("blockyou.brand_new", ""),
    ],
    "Rules, engines, the roster's entries, matches and drawings are free of Django": [
        ("games.rules.brand_new", "django"),
        ("games.bots.engines.greedy", "games.bots.turns"),
        ("games.lines.matching", "games.models"),
        ("games.roster.entries", "games.roster.offered"),
        ("games.arena.run", "games.models"),
        ("games.referee.game", "games.models"),
        ("games.drawing.svg", "games.words.names"),
    ],
    "Only these rooms import Django: a new one stays free of it until it is named here": [
        ("games.bots.turns", "django"),
        ("games.drawing.raster.colours", "django"),
        ("games.rules.pieces", "django"),
        ("games.brand_new", "django"),
    ],
    "Tables are read and written below the pages: views, sockets, bots and messages go through queries and actions": [
        ("games.notifications.messages", "games.models"),
        ("games.notifications.brand_new", "games.models"),
        ("games.views.play.play", "games.models.game"),
        ("games.pages.site.home", "games.models"),
        ("games.words.brand_new", "games.models"),
        ("games.realtime.brand_new", "games.models"),
        ("games.bots.turns", "games.models"),
        ("games.brand_new", "games.models.move"),
        ("accounts.erasure", "games.models"),
    ],
    "Sentences are made where people read them: actions, rules of a table and bots raise codes": [
        ("games.table.lifecycle", "games.words.sentences"),
        ("games.actions.moves.brand_new", "games.words.names"),
        ("games.bots.turns", "games.words.thoughts"),
        ("games.table.typed", "games.words.sentences"),
        ("games.brand_new", "games.words"),
    ],
    "Only realtime and the entry point speak Channels": [
        (source, "channels")
        for source in (
            "games.table.lifecycle",
            "games.table.moves",
            "games.brand_new",
            "accounts.names",
            "blockyou.urls",
        )
    ]
    + [("games.wiring", "asgiref"), ("games.views.people.history", "asgiref")],
    "Only the server that drains knows Daphne, and Twisted below it": [
        ("blockyou.asgi", "daphne"),
        ("games.brand_new", "daphne"),
        ("blockyou.management.commands.web", "twisted"),
    ],
    "Only the layer between processes knows the library's layer over Redis": [
        ("games.realtime.layer", "channels_redis"),
        ("accounts.brand_new", "channels_redis"),
    ],
    "Only engines are compiled, and only they, their training, other programs that learn and ratings count in arrays": [
        ("games.ratings.step", "numpy"),
        ("games.bots.engines.search", "numba"),
        ("games.bots.turns", "numpy"),
        ("games.roster.entries", "numpy"),
        ("games.arena.figures", "numpy"),
        ("games.brand_new", "numpy"),
    ],
    "One room speaks to learners": [
        ("games.play.session", "gymnasium"),
        ("games.bots.engines.batches", "pettingzoo"),
        ("games.brand_new", "gymnasium"),
    ],
    "Only pictures made of pixels use Pillow": [("games.views.play.share", "PIL"), ("games.drawing.brand_new", "PIL")],
    "Only the cache, the queue of jobs and the sockets know Redis": [
        ("games.views.site.health", "redis"),
        ("accounts.limits", "redis"),
    ],
    "Only the API speaks its framework": [
        ("games.views.play.records", "ninja"),
        ("games.queries.play.state", "pydantic"),
        ("games.brand_new", "ninja"),
    ],
    "Only web push, passkeys, and what seals secrets, know cryptography": [
        ("accounts.devices", "cryptography"),
        ("games.notifications.channels.email", "cryptography"),
    ],
    "One module counts for Prometheus": [
        ("games.views.site.health", "prometheus_client"),
        ("blockyou.asgi", "prometheus_client"),
    ],
    "One module reports errors elsewhere": [("blockyou.logs", "sentry_sdk"), ("games.tasks", "sentry_sdk")],
    "Only games.jobs knows the library of the job queue": [
        ("games.background.worker", "django_tasks_db"),
        ("games.tasks", "django_tasks"),
        ("games.background.sweep", "rq"),
        ("games.brand_new", "django_tasks"),
        ("blockyou.management.commands.work", "django_tasks_db"),
    ],
    "One use case does not call another": [
        ("games.actions.moves.resign", "games.actions.moves.pass_turn"),
        ("games.actions.moves.brand_new", "games.actions.moves.resign"),
    ],
}


@cache
def imports() -> grimp.ImportGraph:
    """Return who imports whom in this project."""
    return grimp.build_graph(
        *OPTIONS["session_options"]["root_packages"],
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )


@pytest.fixture(autouse=True)
def without_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away the attribute that Twisted's interfaces leave in `abc.ABC`: its classes cannot be asked for it."""
    for name in set(vars(ABC)) & {"__provides__", "__implemented__"}:
        monkeypatch.delattr(ABC, name)


def is_kept(name: str, graph: grimp.ImportGraph) -> bool:
    """Return whether the contract of that name is kept by these imports."""
    [options] = [each for each in OPTIONS["contracts_options"] if each["name"] == name]
    contract = TYPES[options["type"]](name, OPTIONS["session_options"], options)
    # A contract may change the graph that it checks.
    return contract.check(graph=deepcopy(graph), verbose=False).kept


def test_every_contract_has_imports_that_break_it() -> None:
    assert [contract["name"] for contract in OPTIONS["contracts_options"]] == [*VIOLATIONS]


@pytest.mark.parametrize("name", VIOLATIONS)
def test_a_contract_is_kept_until_it_is_broken(name: str) -> None:
    assert is_kept(name, imports())
    for importer, imported in VIOLATIONS[name]:
        broken = deepcopy(imports())
        broken.add_module(importer)
        if imported:
            if imported not in broken.modules:
                broken.add_module(imported, is_squashed=True)
            broken.add_import(importer=importer, imported=imported, line_number=1, line_contents="")
        assert not is_kept(name, broken), f"{importer} may import {imported or 'nothing and be there'}"
