"""What every way of running shares. Every value that may differ comes from the environment (docs/operations.md)."""

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from blockyou import env
from blockyou.logs import LOGGING as LOGGING

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

DEBUG = False
PUBLIC_URL = env.text("PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
PUBLIC_HOST = env.hostname(PUBLIC_URL)
IS_HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", PUBLIC_HOST)

# Not "daphne": as an app it would load Twisted, 26 MiB, into every worker. `manage.py web` serves instead of runserver.
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "allauth",
    "allauth.account",
    "blockyou",
    "accounts",
    "games",
]

# The first three stand outermost, so that redirects, static files and errors carry their headers too.
MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "blockyou.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Pages shrink to a sixth. A secret in them is masked anew each time, and random bytes are added (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PersonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.views.errors.GameErrorMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "blockyou.urls"
ASGI_APPLICATION = "blockyou.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.people",
            ],
        },
    }
]

# Files are read in memory or not at all: without the handler that writes temporary files, a body larger than
# FILE_UPLOAD_MAX_MEMORY_SIZE brings no file. The only ones handed in are records of games (games.uploads).
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# SQLite fails racing writers at once in its default deferred mode, and may roll back commits on power loss
# without synchronous=FULL. Every process asserts both on its first connection (blockyou.database).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")
DATABASES: dict[str, Any] = {"default": {**dj_database_url.parse(DATABASE_URL, conn_max_age=0)}}
IS_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if IS_SQLITE:
    DATABASES["default"]["OPTIONS"] = dict(SQLITE_OPTIONS)
    # A worker asks twenty times a second for work: opening SQLite each time was two thirds of what that cost.
    if env.flag("KEEP_CONNECTION", default=False):
        DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    # Persistent connections leak under ASGI; PostgreSQL's own pool does not.
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 12, "timeout": 20}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL", "")
if REDIS_URL:
    # The pub-sub layer: the list-based one loses idle sockets with redis-py 8 (channels_redis#422).
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    }
    CACHES: dict[str, Any] = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "games.realtime.layer.LocalLayer", "CONFIG": {"capacity": 1000}}}
    # Counters of rate limits live here: with the default of 300 entries a flood of names would push them out.
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
    }

TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default", "bots", "thinkers"]}}

# MiB that a worker may have held before another one takes its place. With less than the least it would be too large
# before its first job.
WORKER_MEMORY = env.integer("WORKER_MEMORY", 400, least=250, most=1_000_000)

# Games that are played in thought about each position of a review, and about a turn whose player asks for advice. They
# say how good both are, on any machine alike; what they cost is the machine's.
REVIEW_SIMULATIONS = env.integer("REVIEW_SIMULATIONS", 400, least=10, most=100_000)
HINT_SIMULATIONS = env.integer("HINT_SIMULATIONS", 1000, least=10, most=100_000)

# Further engines as module:Class, for benchmarks and trials; games.bots.registry lists the real ones.
EXTRA_BOTS = env.words("EXTRA_BOTS")

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my-games"

# A year, sliding: a guest's games hang on the session alone. Our engine knows whose a session is, so that closing an
# account ends them all.
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 365 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = IS_HTTPS
if IS_HTTPS:
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    LANGUAGE_COOKIE_NAME = "__Host-language"
# Remembers for this browser that games are played in words, without the picture of the board (games.views.look).
SPOKEN_COOKIE_NAME = "__Host-spoken" if IS_HTTPS else "spoken"
# How strong somebody likes the bots of the first page to be (`games.views.home`).
STRENGTH_COOKIE_NAME = "__Host-strength" if IS_HTTPS else "strength"
LANGUAGE_COOKIE_HTTPONLY = SESSION_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Messages ride in the session: one cookie fewer, and nothing for a visitor to edit.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

EMAIL_IS_SET = bool(env.text("EMAIL_URL", ""))
globals().update(env.email("EMAIL_URL"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("EMAIL_FROM", f"Block-You <noreply@{PUBLIC_HOST}>")

# People. Without EMAIL_URL an address is optional and never asked to be confirmed; with it, both are musts.
ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.entrance.LoginForm",
    "signup": "accounts.forms.entrance.SignupForm",
    "add_email": "accounts.forms.entrance.ChangeEmailForm",
    "change_password": "accounts.forms.entrance.ChangePasswordForm",
    "set_password": "accounts.forms.entrance.SetPasswordForm",
    "reset_password": "accounts.forms.entrance.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.entrance.ResetPasswordKeyForm",
    "reauthenticate": "accounts.forms.entrance.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*" if EMAIL_IS_SET else "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_IS_SET else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = EMAIL_IS_SET
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # accounts.doors does it: a guest may log in
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_RATE_LIMITS = {"signup": "20/m/ip,100/h/ip", "reset_password": "20/h/ip,5/h/key"}
# How many proxies of ours stand before this site: only so much of X-Forwarded-For is believed.
ALLAUTH_TRUSTED_PROXY_COUNT = env.integer(
    "TRUSTED_PROXY_COUNT", 1 if env.flag("BEHIND_PROXY", default=False) else 0, least=0, most=9
)
PASSWORD_RESET_TIMEOUT = 3600

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "base-uri": [NONE],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "img-src": [SELF, "data:"],
        "manifest-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
    }
}
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "blockyou.storage.ModuleStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 3600

LANGUAGE_CODE = "en"
# Each language is called as it calls itself, whatever the page is written in.
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "blockyou.formats"
USE_TZ = True
TIME_ZONE = "UTC"
