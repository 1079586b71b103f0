"""What the host's pages share: they show rows and change none, and cost the same however many rows there are."""

from typing import Any, cast

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

#: At most this many rows can be paged through; those beyond are found by searching.
MOST_ROWS = 5000


class BoundedPaginator(Paginator[Any]):
    """A paginator that counts no further than the rows that are shown: counting a million takes a second."""

    @cached_property
    def count(self) -> int:
        """Return how many rows there are, at most MOST_ROWS: the query stops counting there."""
        rows = cast("QuerySet[Any]", self.object_list)
        return rows[:MOST_ROWS].count()


class LookOnly:
    """Rows that can be viewed by the permissions of Django, and changed by no one."""

    def has_add_permission(self, request: HttpRequest, *_of: Any) -> bool:
        """Return False."""
        return False

    def has_change_permission(self, request: HttpRequest, _row: Any = None) -> bool:
        """Return False."""
        return False

    def has_delete_permission(self, request: HttpRequest, _row: Any = None) -> bool:
        """Return False."""
        return False


class LookOnlyAdmin(LookOnly, admin.ModelAdmin[Any]):
    """A table of the host's pages, newest rows first."""

    ordering = ("-pk",)
    list_per_page = 50
    paginator = BoundedPaginator
    show_full_result_count = False
    actions = None
