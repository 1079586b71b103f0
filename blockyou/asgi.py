"""The ASGI application: HTTP by Django, WebSockets and what goes on after an answer by `games.realtime`."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, cast

import django
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import FileResponse, HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase

from blockyou.processes.own_connection import own_connection
from blockyou.processes.turnstile import IS_LOGIN, IS_TOKEN, Application, beside, is_for_health, turnstile

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "blockyou.settings.prod")
django.setup(set_prefix=False)


class OneThreadHandler(ASGIHandler):
    """Django's handler, except that middleware and view of a request run in its thread one after the other.

    Django would give control back to the event loop around each step of each middleware that could be asynchronous:
    nineteen changes between threads for one page, a sixth of its CPU time. No view or middleware of ours is.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Load all middleware as Django does for WSGI."""
        super().load_middleware(is_async=False)

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request; what it holds is given back also where something fails outside all that Django catches."""
        try:
            await super().handle(scope, receive, send)
        except Exception:
            await signals.request_finished.asend(sender=type(self))
            raise

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response, from the request's own thread."""
        scope = vars(request)["scope"]
        find = self.get_response_of_health if is_for_health(scope) else self.get_response
        response = await sync_to_async(find, thread_sensitive=True)(request)
        scope[IS_LOGIN], scope[IS_TOKEN] = map(request.META.get, ("accounts.came_with_login", "api.came_with_token"))
        # Files are made of many small parts: Django reads them whole in one step.
        if isinstance(response, StreamingHttpResponse) and not (
            response.is_async or isinstance(response, FileResponse)
        ):
            response.streaming_content = one_by_one(iter(cast("Iterable[bytes]", response.streaming_content)))
        return response

    def get_response_of_health(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response of a request that is not to wait for the pool's connections."""
        with own_connection():
            return self.get_response(request)


async def one_by_one(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts of an answer, each made in the request's thread once the one before it has been handed on.

    Django would gather all of them before the first is sent. No connection to the database waits meanwhile.
    """

    def following() -> bytes | None:
        try:
            return next(parts, None)
        finally:
            close_old_connections()

    while (part := await sync_to_async(following, thread_sensitive=True)()) is not None:
        yield part


http = OneThreadHandler()

# Consumers import models, which exist only once Django is set up.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from blockyou.metrics import counting_sockets, forget_dead_processes  # noqa: E402
from blockyou.processes.arrivals import paced  # noqa: E402
from games.realtime.logins import with_logins  # noqa: E402
from games.realtime.open_sockets import address_of  # noqa: E402
from games.realtime.origin import App, same_origin  # noqa: E402
from games.realtime.programs import for_programs  # noqa: E402
from games.realtime.routing import websocket_urlpatterns  # noqa: E402
from games.realtime.streams import streaming  # noqa: E402
from games.realtime.watch import watching  # noqa: E402

#: Those for the health come beside all others, and half of them are one address's at most.
REQUESTS_AT_ONCE, HEALTH_AT_ONCE = 4, 2
forget_dead_processes()


def narrowed() -> Application:
    """Return Django with its few places, and others for those who ask for its health."""
    pages, health = (
        turnstile(http, width, settings.SESSION_COOKIE_NAME, address=address_of)
        for width in (REQUESTS_AT_ONCE, HEALTH_AT_ONCE)
    )
    return beside(health, pages)


# Outside: a stream that is open takes no place of those who ask.
answers = streaming(cast("App", narrowed()))
pages = same_origin(with_logins(cast("App", URLRouter(websocket_urlpatterns))))
routes = ProtocolTypeRouter({"http": answers, "websocket": counting_sockets(for_programs(answers, pages))})
application = watching(paced(cast("App", routes)))
