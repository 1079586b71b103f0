"""What collectstatic makes: hashed names inside modules too, and one stylesheet out of many."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings

IMPORTED = re.compile(r'^import [^;]*?"(\.[^"]+)";', re.MULTILINE)
STORAGE = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "blockyou.storage.ModuleStaticFilesStorage"},
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
    assert text.index("@layer reset, tokens, base, components, features;") < text.index("@layer tokens {")
    assert "--accent:" in text
    assert text.count("{") == text.count("}")


def test_a_feature_may_import_from_its_neighbour(root: Path) -> None:
    text = served(root, "home/home.css").read_text()
    assert "@import" not in text
    assert ".board" in text


def test_modules_import_each_other_by_hashed_names(root: Path) -> None:
    module = served(root, "site/lists.js")
    names = IMPORTED.findall(module.read_text())
    assert len(names) == 3
    assert all(re.fullmatch(r"\./\w+\.[0-9a-f]{12}\.js", name) for name in names)
    assert all((module.parent / name).is_file() for name in names)


def test_a_page_loads_at_most_12_kb_of_styles(root: Path) -> None:
    for feature in ("home/home.css", "create/create.css", "rules/rules.css", "table/table.css", "play/play.css"):
        sizes = [Path(f"{served(root, name)}.gz").stat().st_size for name in ("site/site.css", feature)]
        assert sum(sizes) <= 12_000
