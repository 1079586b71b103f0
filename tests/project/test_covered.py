"""New code that no test reaches is named, also in a large room."""

from typing import Any

from tools.covered import faults, missed, read


def report(**files: tuple[list[int], int]) -> dict[str, Any]:
    """Return a report of these files, each with the lines it has missed and how many branches."""
    return {
        "files": {
            name: {"summary": {"missing_lines": len(lines), "missing_branches": branches}, "missing_lines": lines}
            for name, (lines, branches) in files.items()
        }
    }


BEFORE = report(**{"games/actions/join.py": ([7], 1), "games/actions/chat/say.py": ([], 0), "games/clock.py": ([3], 0)})


def test_lines_and_branches_are_counted_by_room() -> None:
    assert missed(read(BEFORE)) == {"games": 1, "games/actions": 2}


def test_what_was_missed_before_may_be_missed() -> None:
    assert faults(read(BEFORE), {"games": 1, "games/actions": 2}) == []


def test_a_line_more_is_named_with_its_file() -> None:
    (sentence,) = faults(read(BEFORE), {"games": 1, "games/actions": 1})
    assert sentence == "games/actions: tests miss 2 lines and branches, 1 at most: games/actions/join.py 7"


def test_a_new_room_needs_a_bar() -> None:
    (sentence,) = faults(read(BEFORE), {"games": 1})
    assert sentence.startswith("games/actions has no bar")


def test_the_rules_are_reached_whatever_their_bar() -> None:
    found = faults(read(report(**{"games/rules/turns.py": ([], 1)})), {"games/rules": 5})
    assert found == ["games/rules: tests miss 1 lines and branches, 0 at most: games/rules/turns.py"]
