"""A folder can be taken in at a glance: what grows beyond that gets rooms of its own (decision 16)."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST = 25
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


def test_every_use_case_lies_in_a_folder_by_what_it_is_done_to() -> None:
    # The contract that none calls another names the modules of these folders.
    assert [path.name for path in (ROOT / "games" / "actions").glob("*.py")] == ["__init__.py"]


def test_every_folder_that_stays_flat_is_there() -> None:
    assert FLAT.keys() <= modules_by_folder().keys()
