"""The site's addresses and one that fails."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from blockyou.urls import urlpatterns as site


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("broken on purpose")


urlpatterns = [*site, path("broken/", broken)]
