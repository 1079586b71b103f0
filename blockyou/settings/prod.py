"""Serving people: refuses to start on a missing or short secret, DEBUG, or any host."""

from django.core.exceptions import ImproperlyConfigured

from blockyou import env
from blockyou.settings.base import *  # noqa: F403  (settings modules share one namespace)

if env.flag("DEBUG", default=False):
    raise ImproperlyConfigured("DEBUG is on. It shows secrets to visitors: unset it, or use blockyou.settings.dev.")
if "*" in ALLOWED_HOSTS:  # noqa: F405
    raise ImproperlyConfigured("ALLOWED_HOSTS is *. Name the hosts this site answers to, separated by commas.")
if not IS_SQLITE and not REDIS_URL:  # noqa: F405
    raise ImproperlyConfigured("DATABASE_URL names PostgreSQL but REDIS_URL is not set: open pages would miss moves.")

# `make run` makes a secret once; commands such as `manage.py backup` find it where it was put.
SECRET_KEY = env.secret("SECRET_KEY", stored=VAR_DIR / "secret-key")  # noqa: F405
SECURE_SSL_REDIRECT = IS_HTTPS  # noqa: F405
# Whoever asks after our health inside the house does so without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", default=False) else None
SECURE_HSTS_SECONDS = 63072000 if IS_HTTPS else 0  # noqa: F405
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = IS_HTTPS  # noqa: F405
