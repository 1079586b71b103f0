"""Working on Block-You: DEBUG, a fixed secret, plain static files."""

from blockyou.settings.base import *  # noqa: F403  (settings modules share one namespace)

VAR_DIR.mkdir(parents=True, exist_ok=True)  # noqa: F405
DEBUG = True
SECRET_KEY = "django-insecure-only-for-working-on-the-code"  # noqa: S105  (never used by prod, which refuses it)
ALLOWED_HOSTS = ["*"]
# The site, and a page that shows every component.
ROOT_URLCONF = "tools.urls"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
