"""What is said of every table: which of its rows are a person's, what they get of it, and what becomes of it.

A person's archive and the closing of an account are both made from these lists (`accounts.personal.listed`,
`games.base.personal`); a test is red when a field of any table is in none of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from accounts.database.deletions import OwnRows

#: Fields by their names, with a space between them, and why something is not done with them.
Reasons = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ArchivedText:
    """A text that the archive has in place of a whole field: `read` makes it of the value, or None for no text."""

    name: str
    field: str
    read: Callable[[Any], str | None]


@dataclass(frozen=True)
class Held:
    """What is kept about people in one table.

    `mine` are the ways from a row to the person whose it is; the archive has these rows, each with the fields `given`,
    in the file `data/<file>.json`. `withheld` says why it has not the others, and `texts` what it has of these instead.

    `goes` are the fields by which rows go with an account that is closed: by the list itself, or by the function named
    in `by` where there is more to do. Of rows that stay, that function empties the fields that are `blanked`, and
    `stays` says why the others stay as they are.
    """

    model: type[Model]
    file: str = ""
    mine: tuple[str, ...] = ()
    given: str = ""
    withheld: Reasons = ()
    goes: tuple[str, ...] = ()
    by: str = ""
    blanked: str = ""
    stays: Reasons = ()
    texts: tuple[ArchivedText, ...] = ()

    @property
    def label(self) -> str:
        """Return the name of the table."""
        return self.model._meta.label

    @property
    def fields_given(self) -> tuple[str, ...]:
        """Return the names of the fields that the archive has."""
        return tuple(self.given.split())

    @property
    def goes_by_itself(self) -> bool:
        """Return whether the list alone says that rows go."""
        return bool(self.goes) and not self.by


def names_in(reasons: Reasons) -> set[str]:
    """Return the fields of which something is said."""
    return {name for names, _why in reasons for name in names.split()}


def rows_that_go(held: Iterable[Held]) -> tuple[OwnRows, ...]:
    """Return the tables whose rows go by the list alone, each with the ways to the person whose they are."""
    return tuple((each.model, each.goes) for each in held if each.goes_by_itself)
