"""Addresses of log-ins, below /accounts/keys/. Those of allauth bear its names; the page itself is of `games.urls`."""

from allauth.account.decorators import reauthentication_required
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.urls import path

from accounts.doors import not_for_members
from accounts.keys import sign_on, views
from accounts.keys.views import between, own

shown_to_fresh = reauthentication_required(enabled=views.reads)

urlpatterns = [
    path("code/", between(views.StepByKey.as_view()), name="mfa_authenticate"),
    path("again/", own(views.AgainByCode.as_view()), name="mfa_reauthenticate"),
    path("codes/on/", own(views.SwitchCodesOn.as_view()), name="mfa_activate_totp"),
    path("codes/off/", own(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path(
        "recovery/",
        own(shown_to_fresh(views.kept_codes)),
        name="mfa_view_recovery_codes",
    ),
    path("recovery/new/", own(recovery.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("passkeys/add/", own(views.AddPasskey.as_view()), name="mfa_add_webauthn"),
    path("passkeys/<int:pk>/name/", own(views.NamePasskey.as_view()), name="mfa_edit_webauthn"),
    path("passkeys/<int:pk>/remove/", views.drop_passkey, name="mfa_remove_webauthn"),
    path("passkeys/again/", own(views.AgainByPasskey.as_view()), name="mfa_reauthenticate_webauthn"),
    path("passkeys/log-in/", not_for_members(views.LogInByPasskey.as_view()), name="mfa_login_webauthn"),
    path("passkeys/options/", views.passkey_options, name="passkey-options"),
    path("passkeys/lost/", views.lost_passkey, name="passkey-lost"),
    path("passkeys/sign-up/", views.sign_up_by_passkey, name="signup-by-passkey"),
    path("passkeys/sign-up/make/", views.make_first_passkey, name="signup-make-passkey"),
    path("sign-on/", sign_on.sign_on, name="sign-on"),
    path("sign-on/back/", sign_on.sign_on_back, name="sign-on-back"),
    path("sign-on/name/", sign_on.name_newcomer, name="sign-on-name"),
    path("sign-on/add/", sign_on.add_sign_on, name="sign-on-add"),
    path("sign-on/again/", sign_on.again_by_sign_on, name="sign-on-again"),
    path("sign-on/remove/", sign_on.drop_sign_on, name="sign-on-remove"),
    path("logins/end/", views.end_other_logins, name="logins-end"),
    path("logins/<slug:handle>/end/", views.end_login, name="login-end"),
]
