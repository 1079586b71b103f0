"""Every address of the site: people under /accounts/, play everywhere else."""

from django.urls import include, path

from games.views.health import health

urlpatterns = [
    path("healthz", health, name="health"),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("", include("games.urls")),
]

# allauth asks for this one; Django has no name for it.
handler429 = "accounts.views.too_many"
