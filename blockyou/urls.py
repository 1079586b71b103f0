"""Every address of the site: people under /accounts/, play everywhere else."""

from django.conf import settings
from django.urls import include, path

from blockyou.assets.worker import service_worker
from blockyou.host import host_site
from blockyou.metrics import metrics
from games.views.health import health

urlpatterns = [
    path("healthz", health, name="health"),
    path(f"{settings.ADMIN_PATH}/", host_site.urls),
    path("metrics", metrics, name="metrics"),
    path("service-worker.js", service_worker, name="service-worker"),
    path("accounts/", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("", include("games.urls")),
]

# allauth asks for this one; Django has no name for it.
handler429 = "accounts.views.too_many"
handler400 = "blockyou.failures.bad_request"
handler500 = "blockyou.failures.server_error"
