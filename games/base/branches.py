"""What a person has tried from the positions of a game: a tree of moves, as data that knows no rule.

A tried move follows another one, or the game itself after so many of its moves. Moves that follow each other are a
*branch*. Its last change can be undone, and what was undone redone. A number is never given to another move, so what
leads to a tried move is always the same, whoever else changes the tree meanwhile.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from games.errors import WrongStatus

#: How many moves a tree has at most, how many of them follow each other, and in how many branches it ends.
MAX_TRIED, MAX_DEPTH, MAX_BRANCHES = 500, 60, 100
#: The longest name of a branch.
MAX_BRANCH_NAME = 40
#: How many changes can be undone, and how many moves they may be about in all.
MAX_CHANGES, MAX_CHANGED = 50, 500

TOO_MANY = _("Your analysis of this game already has %(most)d moves. Remove a branch that you no longer need.")
TOO_DEEP = _("A branch has at most %(most)d moves.")
TOO_WIDE = _("Your analysis of this game already has %(most)d branches. Remove one that you no longer need.")
NOT_THERE = _("This branch is no longer there. It was removed or undone, perhaps on another device.")
NOTHING_TO_UNDO = _("There is nothing to undo.")
NOTHING_TO_REDO = _("There is nothing to redo.")


class Tried(NamedTuple):
    """One move that was tried, and the name that was given to what begins there.

    `parent` is the number of the tried move before it, 0 where that is the game's. `after` counts the game's moves
    before the first of the branch.
    """

    number: int
    parent: int
    after: int
    colour: str
    move: str
    name: str = ""


class GameMove(NamedTuple):
    """A move of the game itself: whose colour it was, what it was, and whether it made itself."""

    colour: str
    move: str
    is_automatic: bool


class TreeChange(NamedTuple):
    """One change of a tree: the moves it took away, and those it put there."""

    before: tuple[Tried, ...]
    after: tuple[Tried, ...]

    @property
    def size(self) -> int:
        """Return how many moves it is about."""
        return len(self.before) + len(self.after)


@dataclass(frozen=True)
class Branches:
    """A tree of tried moves, by number; `last` is the highest number that was ever given.

    `game` are the moves of the game as far as branches begin in them, as they were then.
    """

    tried: Mapping[int, Tried] = field(default_factory=lambda: MappingProxyType({}))
    last: int = 0
    done: tuple[TreeChange, ...] = ()
    undone: tuple[TreeChange, ...] = ()
    game: tuple[GameMove, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Branches":
        """Return the tree that `to_data` wrote; an empty object is an empty tree."""
        tried = _read(data.get("tried", ()))
        done, undone = (
            tuple(TreeChange(_read(before), _read(after)) for before, after in data.get(name, ()))
            for name in ("done", "undone")
        )
        game = tuple(GameMove(*row) for row in data.get("game", ()))
        return cls({one.number: one for one in tried}, data.get("last", 0), done, undone, game)

    def to_data(self) -> dict[str, Any]:
        """Return the tree as data for JSON."""
        return {
            "tried": [list(one) for one in self.tried.values()],
            "last": self.last,
            **{
                name: [[[list(one) for one in part] for part in change] for change in changes]
                for name, changes in (("done", self.done), ("undone", self.undone))
            },
            "game": [list(one) for one in self.game],
        }

    def beside(self, game: Sequence[GameMove]) -> "Branches":
        """Return the tree beside the game as it is now; the same where no branch begins in moves that were taken back.

        Such a branch begins where the game was before them, and has them as its own first moves: what leads to a tried
        move stays the same. Nothing that was done before can then be undone.
        """
        same = _alike((then.move for then in self.game), (now.move for now in game))
        if same == len(self.game) or all(one.after <= same for one in self.tried.values()):
            return self
        tried, last = dict(self.tried), self.last
        for first in self.tried.values():
            if first.parent or first.after <= same:
                continue
            parent = 0
            for gone in self.game[same : first.after]:
                if gone.is_automatic:
                    continue
                found = _tried_at(tried, parent, same, gone.move)
                if found is None:
                    last += 1
                    found = tried[last] = Tried(last, parent, same, gone.colour, gone.move)
                parent = found.number
            for one in self.with_all_after(first.number):
                tried[one.number] = one._replace(parent=one.parent or parent, after=same)
        return Branches(dict(sorted(tried.items())), last, game=tuple(game[:same]))

    def begun_in(self, game: Sequence[GameMove]) -> "Branches":
        """Return the tree with as much of the game as its branches begin in; `game` is what they were tried beside."""
        begins = [one.after for change in (*self.done, *self.undone) for part in change for one in part]
        most = max((*begins, *(one.after for one in self.tried.values())), default=0)
        return replace(self, game=tuple(game[:most]))

    def find(self, number: int) -> Tried:
        """Return the move of that number.

        Raises:
            WrongStatus: there is none (`no-such-branch`).

        """
        if number not in self.tried:
            raise WrongStatus(NOT_THERE, code="no-such-branch")
        return self.tried[number]

    def following(self, parent: int, after: int = 0) -> tuple[Tried, ...]:
        """Return what was tried next: after a tried move, or after so many of the game's moves where `parent` is 0."""
        return tuple(one for one in self.tried.values() if one.parent == parent and (parent or one.after == after))

    def line(self, number: int) -> tuple[Tried, ...]:
        """Return the moves of a branch from the first to that of this number, none for 0.

        Raises:
            WrongStatus: there is none of that number.

        """
        found: list[Tried] = []
        while number:
            found.append(self.find(number))
            number = found[-1].parent
        return tuple(found[::-1])

    def onward(self, number: int) -> tuple[Tried, ...]:
        """Return the moves that follow that of this number, at each fork what was tried first."""
        found: list[Tried] = []
        first = self._first_after()
        while number in first:
            found.append(first[number])
            number = found[-1].number
        return tuple(found)

    def without_those_after(self, after: int) -> "Branches":
        """Return the tree without the branches that begin after so many of the game's moves: to be shown, not kept."""
        return replace(self, tried={number: one for number, one in self.tried.items() if one.after != after})

    def ends(self) -> tuple[Tried, ...]:
        """Return the last moves of all branches, in the order in which they were tried."""
        parents = {one.parent for one in self.tried.values()}
        return tuple(one for one in self.tried.values() if one.number not in parents)

    def with_all_after(self, number: int) -> tuple[Tried, ...]:
        """Return the move of that number and all that were tried after it.

        Raises:
            WrongStatus: there is none of that number.

        """
        below = {self.find(number).number}
        # What was taken back of the game has higher numbers than what follows it.
        while more := {one.number for one in self.tried.values() if one.parent in below} - below:
            below |= more
        return tuple(one for one in self.tried.values() if one.number in below)

    def extended(self, parent: int, after: int, colour: str, move: str) -> tuple["Branches", int]:
        """Return the tree with one more move, and its number; the same tree where it has been tried there before.

        Raises:
            WrongStatus: what it follows is not there, or the tree is full (`no-such-branch`, `analysis-full`,
                `branch-too-long`, `too-many-branches`).

        """
        line = self.line(parent)
        after = line[0].after if line else after
        following = self.following(parent, after)
        known = next((one for one in following if one.move == move), None)
        if known is not None:
            return self, known.number
        if len(self.tried) >= MAX_TRIED:
            raise WrongStatus(TOO_MANY % {"most": MAX_TRIED}, code="analysis-full")
        if len(line) >= MAX_DEPTH:
            raise WrongStatus(TOO_DEEP % {"most": MAX_DEPTH}, code="branch-too-long")
        if (following or not parent) and len(self.ends()) >= MAX_BRANCHES:
            raise WrongStatus(TOO_WIDE % {"most": MAX_BRANCHES}, code="too-many-branches")
        number = self.last + 1
        change = TreeChange((), (Tried(number, parent, after, colour, move),))
        return replace(self._changed(change), last=number), number

    def named(self, number: int, name: str) -> "Branches":
        """Return the tree in which what begins with that move has a name, or no longer has one; the same for the same.

        Raises:
            WrongStatus: there is none of that number.

        """
        one = self.find(number)
        return self if one.name == name else self._changed(TreeChange((one,), (one._replace(name=name),)))

    def without(self, number: int) -> "Branches":
        """Return the tree without that move and all that were tried after it.

        Raises:
            WrongStatus: there is none of that number.

        """
        return self._changed(TreeChange(self.with_all_after(number), ()))

    def undo(self) -> "Branches":
        """Return the tree before its last change.

        Raises:
            WrongStatus: there is none, or it is too long ago (`nothing-to-undo`).

        """
        if not self.done:
            raise WrongStatus(NOTHING_TO_UNDO, code="nothing-to-undo")
        *done, change = self.done
        tried = _apply(self.tried, TreeChange(change.after, change.before))
        return replace(self, tried=tried, done=tuple(done), undone=(*self.undone, change))

    def redo(self) -> "Branches":
        """Return the tree after the change that was undone last.

        Raises:
            WrongStatus: none was, or another one was made since (`nothing-to-redo`).

        """
        if not self.undone:
            raise WrongStatus(NOTHING_TO_REDO, code="nothing-to-redo")
        *undone, change = self.undone
        return replace(self, tried=_apply(self.tried, change), done=(*self.done, change), undone=tuple(undone))

    def _changed(self, change: TreeChange) -> "Branches":
        return replace(self, tried=_apply(self.tried, change), done=_latest((*self.done, change)), undone=())

    def _first_after(self) -> dict[int, Tried]:
        first: dict[int, Tried] = {}
        for one in self.tried.values():
            first.setdefault(one.parent, one)
        return first


def _tried_at(tried: Mapping[int, Tried], parent: int, after: int, move: str) -> Tried | None:
    wanted = (parent, after, move)
    return next((one for one in tried.values() if (one.parent, one.after, one.move) == wanted), None)


def followed(line: Sequence[Tried], played: Iterable[str]) -> int:
    """Return how many moves of a branch a game has made too; `played` are its moves from where the branch begins."""
    return _alike((one.move for one in line), played)


def _alike(some: Iterable[str], others: Iterable[str]) -> int:
    """Return with how many of the same moves both begin."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _same in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _apply(tried: Mapping[int, Tried], change: TreeChange) -> dict[int, Tried]:
    """Return the moves after a change, in the order of their numbers: so they are always in that of trying."""
    gone = {one.number for one in change.before}
    kept = {number: one for number, one in tried.items() if number not in gone}
    kept |= {one.number: one for one in change.after}
    return dict(sorted(kept.items()))


def _latest(changes: Sequence[TreeChange]) -> tuple[TreeChange, ...]:
    """Return the latest changes, as many as are kept."""
    room, kept = MAX_CHANGED, 0
    for change in reversed(changes[-MAX_CHANGES:]):
        room -= change.size
        if room < 0:
            break
        kept += 1
    return tuple(changes[len(changes) - kept :])


def _read(rows: Iterable[Sequence[Any]]) -> tuple[Tried, ...]:
    return tuple(Tried(*row) for row in rows)
