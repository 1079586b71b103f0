"""Addresses of the sockets."""

from django.urls import URLPattern, re_path

from games.realtime.consumers import GameSocket, GroupSocket, LobbySocket, NoSocket, UserSocket

websocket_urlpatterns: list[URLPattern] = [
    re_path(r"^ws/games/(?P<slug>[a-z0-9]{1,12})/$", GameSocket.as_asgi()),
    re_path(r"^ws/me/$", UserSocket.as_asgi()),
    re_path(r"^ws/groups/(?P<group>[1-9][0-9]{0,17})/$", GroupSocket.as_asgi()),
    re_path(r"^ws/lobby/$", LobbySocket.as_asgi()),
    re_path(r"", NoSocket.as_asgi()),
]
