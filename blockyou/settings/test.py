"""Under test: a file database (threads and processes share it), mails kept, jobs kept until a test runs them."""

from blockyou.settings.base import *  # noqa: F403  (settings modules share one namespace)

SECRET_KEY = "a secret for tests, long enough, and of no use elsewhere"  # noqa: S105  (tests only)
ALLOWED_HOSTS = ["testserver", "127.0.0.1", "localhost"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
WHITENOISE_AUTOREFRESH = True
VAR_DIR.mkdir(parents=True, exist_ok=True)  # noqa: F405
if IS_SQLITE:  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}  # noqa: F405
