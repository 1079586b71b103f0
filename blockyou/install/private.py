"""What an installation keeps is for its owner's eyes: the database, the secret, the backups."""

from collections.abc import Iterator
from pathlib import Path

#: What other users may not do with a file or folder. Passing through `VAR_DIR` is left as it is: a proxy that serves
#: the static files by itself needs that, and sees nothing but them.
READ_OR_WRITE, ANYTHING = 0o066, 0o077


def keep_private(var: Path, database: Path | None) -> list[Path]:
    """Take from others what an earlier umask gave them; return what was open. `database` is the file of SQLite's."""
    opened = [each for each in _private(var, database) if _is_open(*each)]
    for path, forbidden in opened:
        path.chmod(path.stat().st_mode & 0o777 & ~forbidden)
    return [path for path, _forbidden in opened]


def open_to_others(var: Path, database: Path | None) -> list[Path]:
    """Return what others may read or write of an installation."""
    return [path for path, forbidden in _private(var, database) if _is_open(path, forbidden)]


def _is_open(path: Path, forbidden: int) -> bool:
    return bool(path.stat().st_mode & forbidden)


def _private(var: Path, database: Path | None) -> Iterator[tuple[Path, int]]:
    """Yield what is there of the installation, and what others may not do with it."""
    if var.exists():
        yield var, READ_OR_WRITE
    backups = var / "backups"
    files = [var / "secret-key", var / "push-key", backups, *backups.glob("*")]
    if database:
        files += [database.with_name(database.name + end) for end in ("", "-wal", "-shm")]
    for path in files:
        if path.exists():
            yield path, ANYTHING
