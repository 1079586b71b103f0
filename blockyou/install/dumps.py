"""PostgreSQL's own tools: writing a dump, reading one through, and filling an empty database from one."""

import os
import shutil
import subprocess
from pathlib import Path

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.postgresql.client import DatabaseClient

#: Where Debian keeps the tools, outside PATH, by version.
DEBIAN = Path("/usr/lib/postgresql")


class ToolMissingError(CommandError):
    """The machine lacks one of PostgreSQL's tools."""


def write_dump(connection: BaseDatabaseWrapper, path: Path) -> None:
    """Write a dump of the database as of this moment, and read it through; other programs go first.

    Raises: ToolMissingError, CommandError.
    """
    name = str(connection.settings_dict["NAME"])
    _run(connection, name, *_behind("pg_dump"), "--no-password", "--format=custom", f"--file={path}")
    check_dump(connection, path)


def check_dump(connection: BaseDatabaseWrapper, path: Path) -> None:
    """Read a dump to its end. `pg_restore --list` would not notice one that breaks off: its contents stand first.

    Raises: ToolMissingError, CommandError.
    """
    _run(connection, "", *_behind("pg_restore"), f"--file={os.devnull}", str(path))


def load_dump(connection: BaseDatabaseWrapper, path: Path, name: str) -> None:
    """Fill the empty database of that name, on the connection's server, from a dump.

    Raises: ToolMissingError, CommandError.
    """
    jobs = f"--jobs={min(4, os.cpu_count() or 1)}"
    keep_role = ("--no-owner", "--no-privileges")
    into = f"--dbname={name}"
    _run(connection, name, _found("pg_restore"), "--no-password", "--exit-on-error", *keep_role, jobs, into, str(path))


def _run(connection: BaseDatabaseWrapper, name: str, *command: str) -> None:
    surroundings = _surroundings(connection, name)
    ran = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
    if ran.returncode:
        tool = next(Path(word).name for word in command if Path(word).name.startswith("pg_"))
        raise CommandError(f"{tool} failed: {ran.stderr.strip() or f'status {ran.returncode}'}")


def _behind(tool: str) -> list[str]:
    """Return the command for a tool that lets every other program go first: people play meanwhile, and wait for none of
    what it holds.
    """
    nice = shutil.which("nice")
    return [*([nice, "-n", "10"] if nice else ()), _found(tool)]


def _found(tool: str) -> str:
    """Return the path of one of PostgreSQL's tools, of the newest version where there are several."""
    if path := shutil.which(tool):
        return path
    installed = [path for path in DEBIAN.glob(f"*/bin/{tool}") if path.parts[-3].isdigit()]
    if not installed:
        raise ToolMissingError(
            f"{tool} is not installed on this machine. On Debian: sudo apt install postgresql-client"
        )
    return str(max(installed, key=lambda path: int(path.parts[-3])))


def _surroundings(connection: BaseDatabaseWrapper, name: str) -> dict[str, str]:
    """Return the environment that leads the tools to the database; other users could read a command line."""
    settings = {**connection.settings_dict, "NAME": name}
    _arguments, own = DatabaseClient.settings_to_cmd_args_env(settings, [])
    places = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGDATABASE": "NAME"}
    found = {variable: str(settings[key]) for variable, key in places.items() if settings[key]}
    return {**os.environ, **(own or {}), **found}
