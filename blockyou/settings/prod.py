"""Serving people: refuses to start on a missing or short secret, DEBUG, or any host."""

import os
from hashlib import blake2s

from django.core.exceptions import ImproperlyConfigured

from blockyou import env
from blockyou.settings.base import *  # noqa: F403  (settings modules share one namespace)

# Whatever a process of the site makes is its owner's alone, whichever command started it.
os.umask(0o077)

if env.flag("DEBUG", default=False):
    raise ImproperlyConfigured("DEBUG is on. It shows secrets to visitors: unset it, or use blockyou.settings.dev.")
if "*" in ALLOWED_HOSTS:  # noqa: F405
    raise ImproperlyConfigured("ALLOWED_HOSTS is *. Name the hosts this site answers to, separated by commas.")
if not IS_SQLITE and not REDIS_URL:  # noqa: F405
    raise ImproperlyConfigured("DATABASE_URL names PostgreSQL but REDIS_URL is not set: open pages would miss moves.")

# `make run` makes a secret once; commands such as `manage.py backup` find it where it was put.
SECRET_KEY = env.secret("SECRET_KEY", stored=VAR_DIR / "secret-key")  # noqa: F405
if REDIS_URL:  # noqa: F405
    # Two installations may share one Redis, whose databases do not part messages: neither hears the other, nor does its
    # jobs.
    OWN = blake2s(SECRET_KEY.encode(), digest_size=6, person=b"redis").hexdigest()
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = CACHES["default"]["KEY_PREFIX"] = f"blockyou-{OWN}"  # noqa: F405
    REDIS_OPTIONS["prefix"] = f"blockyou-{OWN}"  # noqa: F405
SECURE_SSL_REDIRECT = IS_HTTPS  # noqa: F405
# Health checks from inside the network come without TLS.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", default=False) else None
SECURE_HSTS_SECONDS = 63072000 if IS_HTTPS else 0  # noqa: F405
# Both bind other sites of the same domain, and a preload list is left only after months: nothing to do unasked.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
if SECURE_HSTS_PRELOAD and not SECURE_HSTS_INCLUDE_SUBDOMAINS:
    raise ImproperlyConfigured("HSTS_PRELOAD is on without HSTS_SUBDOMAINS: preload lists take no site without both.")
# The deployment check asks for both, which are for the host to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
