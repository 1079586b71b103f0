"""A tally: how many finished games a person has of one kind, so that no page counts them."""

from collections.abc import Mapping
from itertools import chain, islice
from typing import NamedTuple

from django.conf import settings
from django.db import connections, models, router

#: Tallies that are changed by one statement.
TALLIES_AT_ONCE = 1000


class TallyKey(NamedTuple):
    """What is counted together: a person's finished games in one variant, with one result, public or private.

    `variant` has no size and no seed. Games of bots are counted from their start, all together: their result is
    `WATCHED`, their variant empty, and they belong to the person who opened them.
    """

    user_id: int
    variant: str
    result: str
    is_public: bool


class TallyManager(models.Manager["Tally"]):
    """Adds to tallies."""

    def add(self, changes: Mapping[TallyKey, int]) -> None:
        """Add to the tallies; those that are missing begin with 0. One statement for 1,000 of them, none for none.

        Rows are locked in the order of their keys, so that two games that end at once cannot wait for each other.
        """
        rows = iter([(*key, change) for key, change in sorted(changes.items())])
        with connections[router.db_for_write(self.model)].cursor() as cursor:
            while batch := list(islice(rows, TALLIES_AT_ONCE)):
                cursor.execute(self._statement(len(batch)), list(chain(*batch)))

    def _statement(self, rows: int) -> str:
        # bulk_create cannot add to what is there.
        table, columns = self.model._meta.db_table, (*TallyKey._fields, "number")
        row = f"({', '.join(['%s'] * len(columns))})"
        return (
            f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)} "  # noqa: S608  (no values)
            f"ON CONFLICT ({', '.join(TallyKey._fields)}) DO UPDATE SET number = {table}.number + excluded.number"
        )


class Tally(models.Model):
    """The number of one person's finished games of one kind (`TallyKey`); cache, counted again by the audit."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    variant = models.CharField(max_length=20, blank=True)
    result = models.CharField(max_length=7)
    is_public = models.BooleanField()
    number = models.IntegerField()

    objects = TallyManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=TallyKey._fields, name="tally_once_a_kind")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.number} {self.result}"

    @property
    def key(self) -> TallyKey:
        """Return what is counted here."""
        return TallyKey(self.user_id, self.variant, self.result, self.is_public)
