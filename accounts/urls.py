"""Addresses of people that allauth does not have."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
