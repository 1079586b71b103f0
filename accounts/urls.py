"""Addresses of people: those that allauth lacks, and those of its own that ask who comes first."""

from allauth.account import views as allauth_views
from django.urls import path

from accounts import views
from accounts.doors import members_only, not_for_members, strangers_only

urlpatterns = [
    path("", views.account, name="account"),
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.language, name="language"),
    path("claim/", views.claim, name="guest-claim"),
    path("delete/", views.delete, name="account-delete"),
    path("unsubscribe/<str:token>/", views.stop_turn_emails, name="unsubscribe"),
    path("login/", not_for_members(allauth_views.login), name="account_login"),
    path("signup/", strangers_only(allauth_views.signup), name="account_signup"),
    path("email/", members_only(allauth_views.email), name="account_email"),
    path("password/change/", members_only(allauth_views.password_change), name="account_change_password"),
    path("password/set/", members_only(allauth_views.password_set), name="account_set_password"),
]
