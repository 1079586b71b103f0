"""People, as the host sees them."""

from typing import Any

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from accounts.lookonly import LookOnlyAdmin
from accounts.models import User


class UserAdmin(LookOnlyAdmin):
    """People, guests and bot accounts, found by name as in a login; no passwords and no settings of theirs."""

    list_display = (
        "username",
        "login_name",
        "is_guest",
        "operator",
        "is_staff",
        "is_active",
        "date_joined",
        "last_login",
    )
    fields = (*list_display, "is_superuser", "erased_at", "email", "language", "time_zone", "wants_turn_emails")
    # Without any there is no field to search in; `get_search_results` looks.
    search_fields = ("name_key",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the person of exactly that name, whatever its case: an index finds it."""
        return (queryset.filter(User.bearing(search_term)) if search_term else queryset), False


#: The table, and how it is shown.
PEOPLE: tuple[tuple[type[Model], type[LookOnlyAdmin]], ...] = ((User, UserAdmin),)
