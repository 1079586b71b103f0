"""Static files under names that carry their content's hash, ES-module imports included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrite `import "./x.js"` to the hashed name too, so that a page never mixes old and new modules.

    Imports between modules must be acyclic: a cycle has no hash to start from and collectstatic fails.
    """

    support_js_module_import_aggregation = True
