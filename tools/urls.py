"""The addresses of the site while it is worked on: its own, and the page of components."""

from django.urls import path

from blockyou.urls import handler429 as handler429
from blockyou.urls import urlpatterns as site
from tools.components import components

urlpatterns = [*site, path("components/", components, name="components")]
