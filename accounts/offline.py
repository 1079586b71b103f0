"""What a browser keeps belongs to one login: how its service worker tells logins apart, and that nothing else keeps it.

Every page says in a header whose login it was answered for. The worker deletes all that it keeps for another login, or
for one that has ended, as soon as it hears of it. The worker's shelf is the only one: it keeps what the site lets it
keep, whatever `Cache-Control` says.
"""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import salted_hmac

from accounts.models import User

SALT = "accounts.offline"

#: The header of a page: the label of the login, or NOBODY.
HEADER, NOBODY = "X-Login", "none"


def login_label(request: HttpRequest) -> str:
    """Return what the login is known by on its device: the same for the same person, empty without a login."""
    # Asking for the person would make every page depend on the cookie, also those that are the same for everybody.
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(getattr(request, "user", None), User):
        return ""
    return salted_hmac(SALT, str(request.user.pk), algorithm="sha256").hexdigest()[:16]


def label_page(request: HttpRequest, response: HttpResponseBase) -> None:
    """Mark a page with whose it is; parts of pages and files are not marked."""
    is_page = response.get("Content-Type", "").startswith("text/html") and "HX-Request" not in request.headers
    if is_page and hasattr(request, "user"):
        response[HEADER] = login_label(request) or NOBODY


def keep_nowhere(request: HttpRequest, response: HttpResponseBase) -> None:
    """Forbid every cache to store an answer to a person, also the browser's cache of pages to go back to.

    It stays as it is where it says itself who may keep it: what carries a tag is asked for again each time.
    """
    is_own = bool(request.META.get("accounts.came_with_login"))
    if is_own and "Cache-Control" not in response and "ETag" not in response:
        response["Cache-Control"] = "private, no-store"


def end_of_login(request: HttpRequest, response: HttpResponseBase) -> None:
    """Clear the browser's cache of this site if the request has ended the login that it came with."""
    if request.META.get("accounts.came_with_login") and not request.user.is_authenticated:
        response["Clear-Site-Data"] = '"cache", "storage"'
