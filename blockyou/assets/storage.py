"""Static files under names that carry their content's hash; one stylesheet and one script a page."""

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

from blockyou.assets import bundles

# Extensions of htmx that no page loads; some import modules that are not there, which would end collectstatic.
UNUSED = "django_htmx/ext/"
# What a page loads. Other modules reach the browser inside one of these.
ENTRY = "page.js"
MODULE = re.compile(r"^(?:import|export)\b", re.MULTILINE)


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Serve every stylesheet, and every script named page.js, with what it imports inside it.

    So a page never mixes old and new modules, and asks for one file where people work on many small ones. A module
    that is no entry is not in the manifest: a template that names one fails.
    """

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Yield what the storage has processed, as `collectstatic` wants it."""
        wrapped = {name: BundlingSource.wrap(*paths[name]) for name in paths if not name.startswith(UNUSED)}
        used = {name: source for name, source in wrapped.items() if not is_part(name, *source)}
        yield from super().post_process(used, dry_run, **options)


class BundlingSource:
    """A source storage of which one file is read with its imports in place."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    @classmethod
    def wrap(cls, storage: Any, path: str) -> tuple[Any, str]:
        """Return what to read `path` from: through this class if it may import, else as it is."""
        return (cls(storage) if path.endswith((".css", ENTRY)) else storage, path)

    def open(self, path: str) -> File[bytes]:
        """Return the file with what it imports."""
        bundle = bundles.stylesheet if path.endswith(".css") else bundles.script
        return ContentFile(bundle(self._read, path).encode())

    def _read(self, path: str) -> str:
        with self.storage.open(path) as file:
            return str(file.read().decode())


def is_part(name: str, storage: Any, path: str) -> bool:
    """Return whether it is a module that only others load."""
    if not name.endswith(".js") or isinstance(storage, BundlingSource):
        return False
    with storage.open(path) as file:
        return MODULE.search(file.read().decode()) is not None
