"""Addresses of people: those that allauth lacks, and those of its own that ask who comes first."""

from allauth.account import views as allauth_views
from allauth.account.decorators import reauthentication_required
from django.urls import include, path, re_path

from accounts import views
from accounts.doors import members_only, not_for_members, strangers_only
from accounts.keys import passwords
from accounts.keys.views import own_and_fresh
from accounts.mail.confirming import AddressView

urlpatterns = [
    path("", views.account, name="account"),
    path("preferences/", views.preferences, name="preferences"),
    path("language/", views.language, name="language"),
    path("time-zone/", views.time_zone, name="time-zone"),
    path("name/", views.own_name, name="own-name"),
    path("claim/", views.claim_account, name="guest-claim"),
    path("tokens/", members_only(reauthentication_required(views.api_tokens)), name="api-tokens"),
    path("tokens/<int:pk>/revoke/", views.revoke_api_token, name="api-token-revoke"),
    path("bots/", members_only(reauthentication_required(views.own_bots)), name="own-bots"),
    path("bots/<int:account>/", members_only(reauthentication_required(views.own_bot)), name="own-bot"),
    path("bots/<int:account>/close/", members_only(reauthentication_required(views.close_bot)), name="own-bot-close"),
    path("bots/<int:account>/tokens/<int:pk>/revoke/", views.revoke_bot_token, name="own-bot-revoke"),
    path("keys/", include("accounts.keys.urls")),
    path("delete/", passwords.closing(views.delete_account), name="account-delete"),
    path("unsubscribe/<str:token>/", views.stop_emails, name="unsubscribe"),
    path("email/restore/<str:former>/", views.restore_email, name="account-restore-address"),
    path("login/", not_for_members(allauth_views.login), name="account_login"),
    path("signup/", strangers_only(allauth_views.signup), name="account_signup"),
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", AddressView.as_view(), name="account_confirm_email"),
    path("email/", members_only(allauth_views.email), name="account_email"),
    path("password/change/", members_only(passwords.ChangePassword.as_view()), name="account_change_password"),
    path("password/new/", passwords.by_factor(passwords.RenewPassword.as_view()), name="password-renew"),
    path("password/remove/", passwords.drop_password, name="password-remove"),
    path("password/set/", own_and_fresh(allauth_views.password_set), name="account_set_password"),
]
