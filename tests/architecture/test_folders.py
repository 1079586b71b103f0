"""A folder can be taken in at a glance: what grows beyond that gets rooms of its own (decision 16)."""

import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: From so many modules on a folder is filling up, and this many it has at most.
MANY, MOST = 20, 25
#: Folders that stay flat however long they get, and why.
FLAT = {
    "accounts/migrations": "Django's, in the order of their numbers",
    "games/migrations": "Django's, in the order of their numbers",
}


def modules_by_folder() -> Counter[str]:
    """Return how many modules each folder of the site has, packages inside it not counted."""
    paths = (path for folder in ("accounts", "blockyou", "games") for path in (ROOT / folder).rglob("*.py"))
    return Counter(str(path.parent.relative_to(ROOT)) for path in paths if path.name != "__init__.py")


def test_no_folder_has_more_modules_than_can_be_taken_in_at_a_glance() -> None:
    assert {folder: count for folder, count in modules_by_folder().items() if count > MOST and folder not in FLAT} == {}


def filling_up(folders: Mapping[str, int]) -> dict[str, int]:
    """Return the folders that have room for a few more modules only."""
    return {folder: count for folder, count in folders.items() if count >= MANY and folder not in FLAT}


@pytest.mark.filterwarnings("default:.* modules of at most:UserWarning")
def test_a_folder_is_named_before_it_is_full() -> None:
    for folder, count in filling_up(modules_by_folder()).items():
        advice = f"{folder} has {count} modules of at most {MOST}: what changes together gets a room (docs/style.md)."
        warnings.warn(advice, stacklevel=1)


def test_a_folder_that_fills_up_is_found() -> None:
    counts = {"games/few": MANY - 1, "games/many": MANY, "games/full": MOST, "games/migrations": 60}
    assert filling_up(counts) == {"games/many": MANY, "games/full": MOST}


def test_every_use_case_lies_in_a_folder_by_what_it_is_done_to() -> None:
    # The contract that none calls another names the modules of these folders.
    assert [path.name for path in (ROOT / "games" / "actions").glob("*.py")] == ["__init__.py"]


def test_every_folder_that_stays_flat_is_there() -> None:
    assert FLAT.keys() <= modules_by_folder().keys()
