"""The secrets of an installation, each made once and kept in a file that only its owner can read."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path


def new_secret_key() -> str:
    """Return a new secret that sessions and links are signed with."""
    return secrets.token_urlsafe(64)


def stored_secret(path: Path, make: Callable[[], str] = new_secret_key) -> str:
    """Return the secret kept in the file, made now if there is none; two processes that ask at once get the same."""
    if not path.exists():
        _store(path, make())
    return path.read_text().strip()


def _store(path: Path, secret: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret-", delete=False) as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    draft = Path(file.name)
    try:
        # A link appears whole or not at all, and never over a secret that another process has just made.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
