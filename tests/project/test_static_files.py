"""What collectstatic makes: names that carry a hash, one stylesheet and one script out of many files."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

STATIC = Path(__file__).resolve().parents[2] / "static"
ENTRIES = sorted(str(path.relative_to(STATIC)) for path in STATIC.rglob("page.js"))
STORAGE = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "blockyou.assets.storage.ModuleStaticFilesStorage"},
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the folder with every static file as it is served."""
    folder = tmp_path_factory.mktemp("static")
    # Compressing the scripts takes long and nothing here reads them compressed.
    with override_settings(STATIC_ROOT=str(folder), STORAGES=STORAGE, WHITENOISE_SKIP_COMPRESS_EXTENSIONS=["js"]):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield folder


def served(root: Path, name: str) -> Path:
    """Return the file that a page loads for this name, as the manifest says."""
    manifest = json.loads((root / "staticfiles.json").read_text())
    return root / str(manifest["paths"][name])


def test_a_stylesheet_holds_what_it_imports_in_its_layers(root: Path) -> None:
    text = served(root, "site/site.css").read_text()
    assert "@import" not in text
    assert text.index("@layer reset,tokens,base,components,") < text.index("@layer tokens{")
    assert "--accent:" in text
    assert text.count("{") == text.count("}")


def test_a_feature_may_import_from_its_neighbour(root: Path) -> None:
    text = served(root, "home/home.css").read_text()
    assert "@import" not in text
    assert ".board" in text


def test_a_pages_script_holds_every_module_it_needs(root: Path) -> None:
    for entry in ENTRIES:
        text = served(root, entry).read_text()
        assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
        assert text.count("new MutationObserver(onChange)") == 1


def test_a_module_that_is_no_entry_has_no_name_to_load_it_by(root: Path) -> None:
    names = json.loads((root / "staticfiles.json").read_text())["paths"]
    ours = {name for name in names if name.endswith(".js") and (STATIC / name).exists()}
    # A view serves the service worker from the root.
    assert ours == {*ENTRIES, "push/worker.js"}


def test_a_page_loads_at_most_41_kb_of_scripts(root: Path) -> None:
    htmx = len(gzip.compress(served(root, "django_htmx/htmx-4.min.js").read_bytes()))
    for entry in ENTRIES:
        assert htmx + len(gzip.compress(served(root, entry).read_bytes())) <= 41_000


def test_a_page_loads_at_most_12_and_a_half_kb_of_styles(root: Path) -> None:
    features = (
        "replay/replay.css",
        "home/home.css",
        "create/create.css",
        "rules/rules.css",
        "table/table.css",
        "play/page.css",
    )
    for feature in features:
        sizes = [Path(f"{served(root, name)}.gz").stat().st_size for name in ("site/site.css", feature)]
        assert sum(sizes) <= 12_500
