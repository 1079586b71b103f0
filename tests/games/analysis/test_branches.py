"""The tree of what was tried, beside a naive one that keeps whole branches and whole trees to go back to."""

import json
import random
from itertools import pairwise

import pytest

from games.base import branches
from games.base.branches import Branches, GameMove, followed
from games.errors import WrongStatus

#: A branch as the naive tree has it: after how many moves of the game it begins, and its moves.
Path = tuple[int, tuple[str, ...]]


class Naive:
    """Every branch written out, with its name; every tree there ever was, to go back to."""

    def __init__(self) -> None:
        self.paths: dict[Path, str] = {}
        self.before: list[dict[Path, str]] = []
        self.undone: list[dict[Path, str]] = []

    def _keep(self) -> None:
        self.before = [*self.before, dict(self.paths)][-branches.MAX_CHANGES :]
        self.undone = []

    def extend(self, after: int, moves: tuple[str, ...]) -> None:
        if (after, moves) not in self.paths:
            self._keep()
            self.paths[after, moves] = ""

    def name(self, path: Path, name: str) -> None:
        if self.paths[path] != name:
            self._keep()
            self.paths[path] = name

    def remove(self, path: Path) -> None:
        self._keep()
        after, moves = path
        gone = [(begin, rest) for begin, rest in self.paths if begin == after and rest[: len(moves)] == moves]
        for one in gone:
            del self.paths[one]

    def undo(self) -> bool:
        if self.before:
            self.undone.append(self.paths)
            self.paths = self.before.pop()
            return True
        return False

    def redo(self) -> bool:
        if self.undone:
            self.before.append(self.paths)
            self.paths = self.undone.pop()
            return True
        return False


def paths_of(tree: Branches) -> dict[Path, str]:
    """Return the branches of a tree written out."""
    lines = {number: tree.line(number) for number in tree.tried}
    return {(line[0].after, tuple(one.move for one in line)): line[-1].name for line in lines.values()}


def again(tree: Branches) -> Branches:
    """Return the tree as it comes back from where it is stored."""
    return Branches.from_data(json.loads(json.dumps(tree.to_data())))


def number_of(tree: Branches, path: Path) -> int:
    after, moves = path
    parent = 0
    for move in moves:
        parent = next(one.number for one in tree.following(parent, after) if one.move == move)
    return parent


def done(tree: Branches, change: str) -> Branches | None:
    try:
        return tree.undo() if change == "undo" else tree.redo()
    except WrongStatus:
        return None


@pytest.mark.parametrize("seed", range(12))
def test_a_tree_is_what_a_naive_one_is_after_every_change(seed: int) -> None:
    chance, tree, naive = random.Random(seed), Branches(), Naive()
    for _step in range(250):
        known = sorted(naive.paths)
        change = chance.choice(["extend"] * 5 + ["name", "remove", "undo", "undo", "redo"])
        path = chance.choice(known) if known else (0, ())
        if change == "extend" or not known:
            after, moves = path if known and chance.random() < 0.7 else (chance.randrange(3), ())
            move = chance.choice("abc")
            if len(moves) == branches.MAX_DEPTH:
                continue
            tree = tree.extended(number_of(tree, (after, moves)), after, "blue", move)[0]
            naive.extend(after, (*moves, move))
        elif change == "name":
            name = chance.choice(["", "Left", "Right"])
            tree = tree.named(number_of(tree, path), name)
            naive.name(path, name)
        elif change == "remove":
            if sum(len(each) for each in naive.paths) > branches.MAX_CHANGED:
                continue
            tree = tree.without(number_of(tree, path))
            naive.remove(path)
        else:
            found = done(tree, change)
            assert (found is not None) is getattr(naive, change)()
            tree = tree if found is None else found
        assert paths_of(tree) == naive.paths
        assert again(tree) == tree


def test_what_was_tried_before_is_found_again_and_its_number_is_never_given_twice() -> None:
    tree, first = Branches().extended(0, 4, "blue", "F")
    assert tree.extended(0, 4, "blue", "F") == (tree, first)
    _tree, elsewhere = tree.extended(0, 5, "blue", "F")
    assert elsewhere != first
    tree, other = tree.undo().extended(0, 4, "blue", "W")
    assert other not in (0, first)
    with pytest.raises(WrongStatus) as gone:
        tree.line(first)
    assert gone.value.code == "no-such-branch"


@pytest.mark.parametrize(
    ("limit", "value", "code"),
    [("MAX_TRIED", 4, "analysis-full"), ("MAX_DEPTH", 4, "branch-too-long"), ("MAX_BRANCHES", 1, "too-many-branches")],
)
def test_a_tree_that_is_full_says_so_and_stays_as_it_is(
    limit: str, value: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, last = Branches(), 0
    for move in "abcd":
        tree, last = tree.extended(last, 0, "blue", move)
    monkeypatch.setattr(branches, limit, value)
    parent = 0 if limit == "MAX_BRANCHES" else last
    with pytest.raises(WrongStatus) as full:
        tree.extended(parent, 0, "blue", "e")
    assert full.value.code == code
    assert str(value) in str(full.value)
    # What is there already is found all the same.
    assert tree.extended(0, 0, "blue", "a")[0] is tree


def test_no_more_changes_are_kept_than_can_be_undone() -> None:
    tree, last = Branches(), 0
    for number in range(branches.MAX_CHANGES + 5):
        tree, last = tree.extended(0 if number % 50 == 0 else last, number // 50, "blue", f"m{number}")
    for _change in range(branches.MAX_CHANGES):
        tree = tree.undo()
    with pytest.raises(WrongStatus) as nothing:
        tree.undo()
    assert nothing.value.code == "nothing-to-undo"
    assert len(tree.tried) == 5


def test_a_branch_goes_on_with_what_was_tried_first_and_ends_where_nothing_follows() -> None:
    tree = Branches()
    tree, first = tree.extended(0, 2, "blue", "a")
    tree, second = tree.extended(first, 0, "red", "b")
    tree, other = tree.extended(first, 0, "red", "c")
    assert [one.number for one in tree.onward(first)] == [second]
    assert [one.number for one in tree.ends()] == [second, other]
    assert [one.move for one in tree.line(other)] == ["a", "c"]
    assert all(line.parent == before.number for before, line in pairwise(tree.line(other)))
    assert [followed(tree.line(second), played) for played in ("", "a", "ab", "abz", "x", "ac")] == [0, 1, 2, 2, 0, 1]


def whole(tree: Branches, number: int, game: list[GameMove]) -> list[str]:
    """Return all that leads to a tried move from the beginning of the game, passes that made themselves aside."""
    line = tree.line(number)
    begin = [one.move for one in game[: line[0].after] if not one.is_automatic]
    return [*begin, *(one.move for one in line)]


@pytest.mark.parametrize("seed", range(20))
def test_what_leads_to_a_tried_move_is_the_same_after_moves_of_the_game_were_taken_back(seed: int) -> None:
    chance, tree = random.Random(seed), Branches()

    def played(count: int) -> list[GameMove]:
        return [GameMove("blue", chance.choice("uvw"), is_automatic=chance.random() < 0.2) for _move in range(count)]

    game = played(12)
    # A game does not begin with a pass, and no one chooses where one makes itself.
    stops = [stop for stop in range(13) if stop == 12 or not game[stop].is_automatic]
    for _step in range(30):
        after = chance.choice(stops)
        known = [one for one in tree.tried.values() if one.after == after]
        parent = chance.choice(known).number if known and chance.random() < 0.6 else 0
        tree = tree.extended(parent, after, "red", chance.choice("uvwxyz"))[0]
    tree = again(tree.begun_in(game))
    back_to = chance.choice([stop for stop in stops if stop < 12])
    later = [*game[:back_to], *([] if chance.random() < 0.3 else [GameMove("blue", "other", is_automatic=False)])]
    beside = tree.beside(later)
    assert {number: whole(beside, number, later) for number in tree.tried} == {
        number: whole(tree, number, game) for number in tree.tried
    }
    assert all(one.after <= len(later) for one in beside.tried.values())
    # What is stored then does not change any more, and numbers that are new were never given before.
    assert again(beside.begun_in(later)).beside(later).tried == beside.tried
    assert all(number > tree.last for number in beside.tried.keys() - tree.tried.keys())
    assert tree.beside(game) is tree
