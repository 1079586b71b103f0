"""The secret of an installation, made once and kept in a file that only its owner can read."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path


def stored_secret(path: Path) -> str:
    """Return the secret kept in the file, made now if there is none; two processes that ask at once get the same."""
    if not path.exists():
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret-", delete=False) as file:
        file.write(secrets.token_urlsafe(64))
        file.flush()
        os.fsync(file.fileno())
    draft = Path(file.name)
    try:
        # A link appears whole or not at all, and never over a secret that somebody else has just made.
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
