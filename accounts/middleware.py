"""What every request of a person needs: their words, a session that slides, a way back, an answer to "too often"."""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import resolve_url
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRefresh

from accounts import traditions
from accounts.limits import LimitReached
from accounts.models import User
from accounts.sessions import slide
from accounts.views import too_many


class PersonMiddleware(LocaleMiddleware):
    """Django's locale middleware with the person's own language first. It stands after authentication.

    It also keeps the session: once a day the year starts again, at the price of one write that day. Anonymous visitors
    without a cookie cost no query.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language and the names of the colours, and slide the session."""
        super().process_request(request)
        traditions.activate(traditions.USUAL)
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
            return
        slide(request.session)
        traditions.activate(request.user.colour_names)
        if request.user.language in dict(settings.LANGUAGES):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Forget the names of the colours: whoever runs in this thread next has names of their own.

        Whoever has to log in before something sent counts comes back to the page it was sent from: its own address
        answers nobody who merely looks. A page whose login has ended while it fetched a part of itself is loaded anew:
        it is no place for the page to log in.
        """
        traditions.activate(traditions.USUAL)
        login, _question, query = response.get("Location", "").partition("?")
        if query and login == resolve_url(settings.LOGIN_URL):
            if "HX-Request" in request.headers:
                response = HttpResponseClientRefresh()
            elif request.method not in {"GET", "HEAD"}:
                response["Location"] = f"{login}?{urlencode({'next': _page_before(request)}, safe='/')}"
        return super().process_response(request, response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 429 for a limit that was reached anywhere."""
        return too_many(request, exception.retry_after) if isinstance(exception, LimitReached) else None


def _page_before(request: HttpRequest) -> str:
    """Return the page of this site that a request was sent from, else the one that a login leads to."""
    before = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure()):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    page = urlsplit(before)
    return page.path + (f"?{page.query}" if page.query else "")
