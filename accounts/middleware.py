"""What every request of a person needs: their words, a session that slides, a way back, an answer to "too often"."""

import logging
from urllib.parse import parse_qs, urlencode, urlsplit

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import OperationalError
from django.db.models import BigIntegerField
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import resolve_url
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.crypto import constant_time_compare
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRefresh

from accounts import traditions
from accounts.database.prepared import Prepared
from accounts.keys.again import ask_again
from accounts.keys.agents import device_of_agent
from accounts.limits import LimitReached, refuse_page
from accounts.models import User
from accounts.offline import end_of_login, keep_nowhere, label_page
from accounts.presence.noting import note_here
from accounts.readers import languages, zones
from accounts.sessions import slide
from accounts.views import too_many

logger = logging.getLogger(__name__)

_PERSON = Prepared(lambda pk: User.objects.filter(pk=pk), pk=BigIntegerField())


class ForgivingSessionMiddleware(SessionMiddleware):
    """Django's sessions, which do not take back at the end of a request what was done in it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session; where the database is away by now, the answer of a person who is logged in stands.

        What is lost is a sentence for the next page, or the day of the visit. For anyone else it may be a login.
        A browser that asks with a key that has just been replaced keeps its cookie: that may be the new one by now, as
        where a page is fetched twice while its form is sent.

        Raises:
            OperationalError: the database is away, and the session is not that of a login.

        """
        came_with, found = request.COOKIES.get(settings.SESSION_COOKIE_NAME), request.session
        if came_with and found.is_empty() and not getattr(found, "is_flushed", False):
            patch_vary_headers(response, ("Cookie",))
            return response
        try:
            return super().process_response(request, response)
        except SessionInterrupted as interrupted:
            # Django takes whatever keeps a session from being saved for a session that is gone.
            reason = interrupted.__context__ and interrupted.__context__.__context__
            if not isinstance(reason, OperationalError):
                raise
            if not request.META.get("accounts.came_with_login"):
                # With its cause, which says that the database is away.
                raise reason from reason.__cause__
            logger.warning("A session cannot be saved (%s): what was done stands.", type(reason).__name__)
            return response


class LoginMiddleware(AuthenticationMiddleware):
    """Django's authentication, which asks for the person by a prepared query."""

    def process_request(self, request: HttpRequest) -> None:
        """Give the request its person, who is asked for once they are needed."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _login_of(request))  # type: ignore[assignment]  # as Django does


def _login_of(request: HttpRequest) -> User | AnonymousUser:
    """Return who is logged in, as Django does, which answers itself wherever a session names no person plainly."""
    found = request.session
    key, made_with = found.get(SESSION_KEY, ""), found.get(HASH_SESSION_KEY, "")
    if key.isdecimal() and made_with and found.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS:
        person = _PERSON.first(pk=int(key))
        if person and person.is_active and constant_time_compare(made_with, person.get_session_auth_hash()):
            return person
    return get_user(request)


class PersonMiddleware(LocaleMiddleware):
    """Django's locale middleware with the person's own language first. It stands after authentication.

    It also keeps the session: once a day the year starts again, at the price of one write that day. Anonymous visitors
    without a cookie cost no query.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language, the time zone and the names of the colours, and slide the session."""
        super().process_request(request)
        self._speak(request, languages.named_in(request))
        traditions.activate(traditions.USUAL)
        zones.activate_zone(zones.guess_of(request))
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        # False for a cookie that is no person's: the site's door counts it with those who have none.
        request.META["accounts.came_with_login"] = isinstance(request.user, User)
        if not isinstance(request.user, User):
            return
        slide(request.session, device_of_agent(request.headers.get("User-Agent", "")))
        note_here([request.user])
        traditions.activate(request.user.colour_names)
        if request.user.time_zone:
            zones.activate_zone(request.user.time_zone)
        self._speak(request, request.user.language)

    @staticmethod
    def _speak(request: HttpRequest, code: str) -> None:
        """Answer in this language, if the site is written in it."""
        if languages.is_offered(code):
            translation.activate(code)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Forget the time zone and the names of the colours: the next request in this thread has its own.

        A person who has to log in before a form counts comes back to the page it was sent from: the form's own
        address does not answer GET. A page whose login has ended while it fetched a part of itself is reloaded:
        it is no place for the page to log in. A page that says that there were too many wrong passwords is a refusal.
        """
        traditions.activate(traditions.USUAL)
        timezone.deactivate()
        login, _question, query = response.get("Location", "").partition("?")
        if query and login == resolve_url(settings.LOGIN_URL):
            if "HX-Request" in request.headers:
                response = HttpResponseClientRefresh()
            elif request.method not in {"GET", "HEAD"} and parse_qs(query).get("next") == [request.get_full_path()]:
                response["Location"] = f"{login}?{urlencode({'next': _page_before(request)}, safe='/')}"
        refuse_page(request, response)
        label_page(request, response)
        keep_nowhere(request, response)
        end_of_login(request, response)
        return super().process_response(request, response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 429 for a limit that was reached anywhere."""
        return too_many(request, exception.retry_after) if isinstance(exception, LimitReached) else None


class AgainMiddleware(MiddlewareMixin):
    """Ask again who it is, wherever a page wants to know. It stands behind allauth's, which would keep more."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """Send the person to where they show it; None for any other exception."""
        return ask_again(request) if isinstance(exception, ReauthenticationRequired) else None


def _page_before(request: HttpRequest) -> str:
    """Return the page of this site that a request was sent from, else the one that a login leads to."""
    before = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}, require_https=request.is_secure()):
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    page = urlsplit(before)
    return page.path + (f"?{page.query}" if page.query else "")
