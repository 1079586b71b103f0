"""The bare app's two addresses."""

from django.urls import path

from benchmarks.bare_site import views

urlpatterns = [path("<slug>/", views.page), path("<slug>/place/", views.place)]
