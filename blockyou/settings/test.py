"""Under test: a file database (threads and processes share it), mails kept, jobs kept until a test runs them."""

import os
import re

from blockyou.settings.base import *  # noqa: F403  (settings modules share one namespace)

SECRET_KEY = "a secret for tests, long enough, and of no use elsewhere"  # noqa: S105  (tests only)
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
VAR_DIR.mkdir(parents=True, exist_ok=True)  # noqa: F405
PUSH_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"  # of an example of RFC 8291; of no use elsewhere
if IS_SQLITE:  # noqa: F405
    # One file a process: two runs of the tests in one folder do not meet.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"test-{os.getpid()}.sqlite3"}  # noqa: F405
if REDIS_URL:  # noqa: F405
    # Redis counts its databases; messages cross them, so that each of the parallel runs has its own prefix as well.
    WORKER = re.sub(r"[^0-9]", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or "0"
    CACHES["default"]["LOCATION"] = f"{REDIS_URL.rstrip('/')}/{WORKER}"  # noqa: F405
    CHANNEL_LAYERS["default"]["CONFIG"]["prefix"] = f"test-{os.getpid()}"  # noqa: F405
    # Worker processes that a test starts take its jobs, and none of another run's.
    PREFIX = os.environ.setdefault("TEST_JOBS_PREFIX", f"test-{os.getpid()}")
    REDIS_OPTIONS.update(url=f"{REDIS_URL.rstrip('/')}/{WORKER}", prefix=f"{PREFIX}-{WORKER}")  # noqa: F405
