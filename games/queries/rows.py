"""Some rows of a list, from a number of rows on."""

from typing import TypeVar

from django.db.models import Model, QuerySet, Subquery

M = TypeVar("M", bound=Model)


def rows_from(rows: QuerySet[M], start: int, number: int) -> list[M]:
    """Return so many rows from that one on, counted from 0. One query.

    They are in descending order of a field in which hardly any two are alike: of the rows before them nothing but the
    index is read.
    """
    if start:
        field = str(rows.query.order_by[0]).removeprefix("-")
        rows = rows.filter(**{f"{field}__lte": Subquery(rows.values(field)[start : start + 1])})
    return list(rows[:number])
