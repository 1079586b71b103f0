"""Static files under names that carry their content's hash, ES-module imports included, and one stylesheet a page."""

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = re.compile(r'@import "(?P<name>\.{1,2}/[\w/.-]+\.css)" layer\((?P<layer>[\w-]+)\);')
# Extensions of htmx that no page loads; some import modules that are not there, which would end collectstatic.
UNUSED = "django_htmx/ext/"


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """Rewrite `import "./x.js"` to the hashed name too, so that a page never mixes old and new modules.

    Imports between modules must be acyclic: a cycle has no hash to start from and collectstatic fails. A stylesheet's
    `@import "./x.css" layer(y);` is replaced by that file: one block a file to work on, one file to load.
    """

    support_js_module_import_aggregation = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Yield what the storage has processed, as `collectstatic` wants it."""
        used = {name: Stylesheet.wrap(*paths[name]) for name in paths if not name.startswith(UNUSED)}
        yield from super().post_process(used, dry_run, **options)


class Stylesheet:
    """A source storage of which one stylesheet is read with its imports in place."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    @classmethod
    def wrap(cls, storage: Any, path: str) -> tuple[Any, str]:
        """Return what to read `path` from: through this class if it is a stylesheet, else as it is."""
        return (cls(storage) if path.endswith(".css") else storage, path)

    def open(self, path: str) -> File[bytes]:
        """Return the stylesheet with every imported file's text in its layer."""
        return ContentFile(self._read(path).encode())

    def _read(self, path: str) -> str:
        with self.storage.open(path) as file:
            text = file.read().decode()
        folder = posixpath.dirname(path)
        return IMPORT.sub(
            lambda found: self._layered(posixpath.normpath(posixpath.join(folder, found["name"])), found["layer"]), text
        )

    def _layered(self, path: str, layer: str) -> str:
        return f"@layer {layer} {{\n{self._read(path)}}}\n"
