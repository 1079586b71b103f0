"""Every address of the site: people under /accounts/, play everywhere else."""

from django.conf import settings
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from blockyou.assets.worker import service_worker
from blockyou.crawlers import PublicPages, robots, security_txt
from blockyou.host import host_site
from blockyou.metrics import metrics
from games.views.health import health

urlpatterns = [
    path("healthz", health, name="health"),
    path(f"{settings.ADMIN_PATH}/", host_site.urls),
    path("metrics", metrics, name="metrics"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("robots.txt", robots, name="robots"),
    path(
        "sitemap.xml",
        require_safe(cache_control(max_age=3600, public=True)(sitemap)),
        {"sitemaps": {"pages": PublicPages}},
        name="sitemap",
    ),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path(
        ".well-known/change-password",
        require_safe(RedirectView.as_view(pattern_name="account_change_password")),
        name="change-password",
    ),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("", include("games.urls")),
]

# allauth asks for this one; Django has no name for it.
handler429 = "accounts.views.too_many"
handler400 = "blockyou.failures.bad_request"
handler500 = "blockyou.failures.server_error"
