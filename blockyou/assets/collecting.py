"""Static files brought into place beside those that running processes and open pages still name.

A release brings new files under names of their own (a name carries its content's hash), so old ones need not go
first. They go some days after a newer release has taken their place.
"""

import filecmp
import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands.collectstatic import Command as CollectStatic
from django.core.files.storage import storages
from django.core.management import call_command

#: Pages that were open before a release may stay open that long.
KEPT_SECONDS = 7 * 24 * 3600
MANIFEST = "staticfiles.json"
MARK = ".sources"
COMPRESSED = ("", ".gz", ".br")


def is_collected(root: Path) -> bool:
    """Return whether the files in the folder are made of the sources as they are now."""
    mark = root / MARK
    return mark.exists() and mark.read_text() == fingerprint()


def collect(root: Path) -> None:
    """Bring the static files into the folder; a page that names old ones finds them at any moment.

    Others than the owner may read them, whatever the umask: a proxy may serve them.
    """
    root.mkdir(parents=True, exist_ok=True)
    root.chmod(0o755)
    superseded = named(root)
    # Beside the folder, not in it: a process that starts just now reads all that is in it.
    with readable_by_all(), tempfile.TemporaryDirectory(prefix=".collecting-", dir=root.parent) as folder:
        fresh = Path(folder)
        command = CollectStatic()
        kind = settings.STORAGES["staticfiles"]
        command.storage = storages.create_storage({**kind, "OPTIONS": {"location": folder}})
        call_command(command, interactive=False, verbosity=0)
        names = sorted(files(fresh), key=lambda name: name == MANIFEST)
        for name in names:
            move_into_place(fresh / name, root / name)
    for name in superseded.difference(names):
        mark_used(root / name)
    with readable_by_all():
        (root / MARK).write_text(fingerprint())


def prune(root: Path, now: float | None = None) -> int:
    """Delete what no current page names, a week after a newer release took its place; return how many files."""
    limit = (time.time() if now is None else now) - KEPT_SECONDS
    current = named(root) | set(with_compressed(source for source, _ in sources())) | {MANIFEST, MARK}
    old = [root / name for name in files(root) if name not in current and (root / name).stat().st_mtime < limit]
    for path in old:
        path.unlink()
    return len(old)


def fingerprint() -> str:
    """Return a hash of every static source file's name, size and time of change."""
    digest = sha256()
    for name, path in sources():
        status = path.stat()
        digest.update(f"{name}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def sources() -> Iterator[tuple[str, Path]]:
    """Yield the name and the place of every static source file."""
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield name, Path(storage.path(name))


def named(root: Path) -> set[str]:
    """Return the files that the pages of the release collected last may name; none before the first."""
    manifest = root / MANIFEST
    paths = json.loads(manifest.read_text())["paths"] if manifest.exists() else {}
    return set(with_compressed([*paths, *paths.values()]))


def with_compressed(names: Iterable[str]) -> Iterator[str]:
    """Yield each name, and the names of its compressed copies."""
    for name in names:
        yield from (f"{name}{suffix}" for suffix in COMPRESSED)


def files(folder: Path) -> list[str]:
    """Return the paths of all files below a folder, as seen from there."""
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


@contextmanager
def readable_by_all() -> Iterator[None]:
    """Make the files and folders that are created in the block readable by all."""
    before = os.umask(0o022)
    try:
        yield
    finally:
        os.umask(before)


def move_into_place(source: Path, target: Path) -> None:
    """Move a file to its place in one step, unless it is there already."""
    if target.exists() and filecmp.cmp(source, target, shallow=False):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)


def mark_used(path: Path) -> None:
    """Mark the file as used just now, if it is there."""
    if path.exists():
        os.utime(path)
