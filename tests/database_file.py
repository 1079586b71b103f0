"""The file of SQLite's database, which no test opens beside SQLite: closing it lets go of all of SQLite's locks on it.

They are POSIX's, which a process loses once it closes the file, by whomever it was opened. With them gone another
process that closes the database takes itself for the last that has it, and removes the log of late writes, which this
process goes on using. Whoever needs a copy of the file has another process make it.
"""

import builtins
import io
import os
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections

#: What SQLite locks: the database, and the memory that it shares. On its log there are no locks.
LOCKED = ("", "-shm")


def watch(patch: pytest.MonkeyPatch) -> None:
    """Refuse from now on to open the file of the tests' database by Python."""
    for module in (builtins, io):
        patch.setattr(module, "open", refusing(module.open))


def refusing(opens: Callable[..., Any]) -> Callable[..., Any]:
    """Return what opens files, which opens all but those."""

    def open_other(file: Any, *arguments: Any, **named: Any) -> Any:
        if isinstance(file, str | os.PathLike) and is_locked(os.fspath(file)):
            raise RuntimeError(f"SQLite has {file} open, and would lose its locks. Open a copy by another process.")
        return opens(file, *arguments, **named)

    return open_other


def is_locked(path: str | bytes) -> bool:
    """Return whether SQLite locks this file."""
    if not settings.IS_SQLITE:
        return False
    database = connections.settings[DEFAULT_DB_ALIAS]["NAME"]
    return path in [f"{database}{end}" for end in LOCKED]
