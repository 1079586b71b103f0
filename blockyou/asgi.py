"""The ASGI application: HTTP by Django, WebSockets by `games.realtime`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "blockyou.settings.prod")
http = get_asgi_application()

# Consumers import models, which exist only once Django is set up.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from blockyou.turnstile import turnstile  # noqa: E402
from games.realtime.origin import same_origin  # noqa: E402
from games.realtime.routing import websocket_urlpatterns  # noqa: E402
from games.realtime.watch import watching  # noqa: E402

REQUESTS_AT_ONCE = 4

routes = ProtocolTypeRouter(
    {
        "http": turnstile(http, REQUESTS_AT_ONCE),
        "websocket": same_origin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
application = watching(routes)
