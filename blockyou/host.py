"""The host's own pages: what is stored of people and games, to look at. Django's admin, without a login of its own.

Nothing is changed here: a game changes by actions alone, and so does an account. Staff see what Django's permissions
let them see, once they have shown a second factor in this session; all other people who are logged in find no such
page.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.admin import PEOPLE
from accounts.doors import person
from accounts.keys.factors import factor_shown_at, has_second_factor
from games.admin import PLAY


class HostSite(AdminSite):
    """Django's admin behind the site's own login, at ADMIN_PATH."""

    site_header = site_title = "Block-You"
    # It would send strangers to log in wherever nothing is.
    final_catch_all_view = False

    def admin_view(self, view: Callable[..., HttpResponseBase], cacheable: bool = False) -> Any:
        """Return the view for staff alone: strangers log in first, and others find nothing."""
        guarded = super().admin_view(view, cacheable)

        def for_staff(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
            if not self.has_permission(request):
                raise Http404
            if not has_second_factor(person(request)):
                messages.info(request, _("The host's pages need a second factor. Switch one on here first."))
                return redirect("mfa_index")
            if factor_shown_at(request, person(request)) is None:
                raise ReauthenticationRequired
            found: HttpResponseBase = guarded(request, *args, **kwargs)
            return found

        return update_wrapper(for_staff, view)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Send the host to the site's log-in page."""
        return redirect("account_login")

    def logout(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        """Send the host to the page on which people log out."""
        return redirect("account_logout")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponse:
        """Send the host to the page on which people change their password."""
        return redirect("account_change_password")


host_site = HostSite(name="admin")
for model, looks in (*PEOPLE, *PLAY):
    host_site.register(model, looks)
