"""What every way of running shares. Every value that may differ comes from the environment (docs/operations.md)."""

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from blockyou import env
from blockyou.logs import FORMS, LEVELS, logging_with
from blockyou.version import release_of

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.text("VAR_DIR", str(BASE_DIR / "var")))

RELEASE = release_of(BASE_DIR, env.text("COMMIT", ""))

# Where errors are reported to the host, without personal data (blockyou.reports).
ERROR_EMAIL = env.text("ERROR_EMAIL", "")
SENTRY_DSN = env.text("SENTRY_DSN", "")
if SENTRY_DSN and find_spec("sentry_sdk") is None:
    raise ImproperlyConfigured(
        "SENTRY_DSN is set, but its library is missing. Install it: .venv/bin/pip install 'sentry-sdk>=2.30,<3'"
    )
REPORTS: dict[str, dict[str, Any]] = {}
if ERROR_EMAIL:
    REPORTS["mail"] = {"class": "blockyou.reports.MailHandler", "release": RELEASE, "address": ERROR_EMAIL}
if SENTRY_DSN:
    REPORTS["sentry"] = {"class": "blockyou.reports.SentryHandler", "release": RELEASE, "dsn": SENTRY_DSN}
LOGGING = logging_with(
    env.choice("LOG_LEVEL", "info", LEVELS), env.choice("LOG_FORMAT", "line", FORMS), reports=REPORTS
)

DEBUG = False
PUBLIC_URL = env.text("PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
# Else a guess, which commands that print links say (accounts.management.commands.reset_link).
PUBLIC_URL_IS_KNOWN = "PUBLIC_URL" in os.environ
PUBLIC_HOST = env.hostname(PUBLIC_URL)
IS_HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", PUBLIC_HOST)

# Not "daphne": as an app it would load Twisted, 26 MiB, into every worker. `manage.py web` serves instead of runserver.
INSTALLED_APPS = [
    # Not "django.contrib.admin": that would load every table's page into workers. `blockyou.host` names them.
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    # Its table alone: whose account a person of the host's own sign-on has.
    "allauth.socialaccount",
    "blockyou",
    "accounts",
    "games",
]

# A request is read before anything else asks for it. The next three come before the rest, so that redirects, static
# files and errors carry their headers too.
MIDDLEWARE = [
    "blockyou.middleware.ReadOnceMiddleware",
    "blockyou.middleware.AnyHostMiddleware",
    "blockyou.metrics.MetricsMiddleware",
    "csp.middleware.CSPMiddleware",
    "blockyou.middleware.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "blockyou.assets.serving.StaticFilesMiddleware",
    # Pages shrink to a sixth. A secret in them is masked again each time, and random bytes are added (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "accounts.middleware.ForgivingSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.middleware.LoginMiddleware",
    "accounts.middleware.PersonMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.views.errors.GameErrorMiddleware",
    "games.views.moderation.suspension.SuspensionMiddleware",
    "games.views.children.guard.ChildMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.AgainMiddleware",
    # The last: an answer that is made again is made by the view alone.
    "games.views.shown.ShownMiddleware",
]

ROOT_URLCONF = "blockyou.urls"
ASGI_APPLICATION = "blockyou.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["blockyou.unindented.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
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
# FILE_UPLOAD_MAX_MEMORY_SIZE brings no file. The only ones handed in are records of games (games.forms.study).
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# SQLite fails racing writers at once in its default deferred mode, and may roll back commits on power loss
# without synchronous=FULL. Every process asserts both on its first connection (blockyou.database).
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}
# What people wait for, and what is started again by itself.
SERVES = env.command() in ("web", "work", "sweep")
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")
DATABASES: dict[str, Any] = {"default": {**dj_database_url.parse(DATABASE_URL, conn_max_age=0)}}
IS_SQLITE = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if IS_SQLITE:
    # Django's own, in which who has waited long for the lock is soon to have it.
    DATABASES["default"]["ENGINE"] = "blockyou.sqlite"
    DATABASES["default"]["OPTIONS"] = dict(SQLITE_OPTIONS)
    # A worker asks twenty times a second for work: opening SQLite each time was two thirds of what that cost.
    if env.flag("KEEP_CONNECTION", default=False):
        DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    # Django's own, which fails at once while the server is known to be away.
    DATABASES["default"]["ENGINE"] = "blockyou.postgresql"
    # Persistent connections leak under ASGI; PostgreSQL's own pool does not. A connection that the pool cannot have at
    # once it tries again when it is next asked for one, not at ever longer intervals.
    POOL = {"min_size": 1, "max_size": 12, "timeout": 20, "reconnect_timeout": 0.5}
    # A server whose host falls silent, as by a power cut, is given up after ten seconds. By default the system sends
    # again what was not taken for a quarter of an hour, and looks after two hours whether a quiet connection lives.
    SILENCE = {"connect_timeout": 2, "keepalives_idle": 5, "keepalives_interval": 5, "tcp_user_timeout": 10_000}
    DATABASES["default"]["OPTIONS"] = SILENCE | DATABASES["default"].get("OPTIONS", {}) | {"pool": POOL}
    # A pooler that lends a connection for a transaction loses the cursors that outlive it. No page reads that much.
    DATABASES["default"]["DISABLE_SERVER_SIDE_CURSORS"] = env.command() == "web"
    # What serves people holds a lock for a moment, however it fails. Migrations, copies and audits take their time.
    STATEMENT_SECONDS = env.integer("STATEMENT_SECONDS", 30, least=0, most=3600)
    IDLE_TRANSACTION_SECONDS = env.integer("IDLE_TRANSACTION_SECONDS", 30, least=0, most=3600)
    if SERVES:
        LIMITS = {
            "statement_timeout": STATEMENT_SECONDS,
            "idle_in_transaction_session_timeout": IDLE_TRANSACTION_SECONDS,
        }
        ASKED = [DATABASES["default"]["OPTIONS"].get("options", ""), *(f"-c {n}={s}s" for n, s in LIMITS.items())]
        DATABASES["default"]["OPTIONS"]["options"] = " ".join(ASKED).strip()
# A request is answered that there is no database, a worker makes room for one that asks once a second, and so does the
# sweep; migrations and other commands wait for it.
WAITS_FOR_DATABASE = not SERVES
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL", "")
if REDIS_URL:
    # Over the library's pub-sub layer: its list-based one loses idle sockets with redis-py 8 (channels_redis#422).
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "games.realtime.redis_layer.RedisLayer",
            "CONFIG": {"hosts": [REDIS_URL], "capacity": 1000},
        }
    }
    # A Redis that hangs holds a request for half a second, and only one every five seconds.
    CACHES: dict[str, Any] = {
        "default": {
            "BACKEND": "blockyou.cache.ForgivingCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "games.realtime.layer.LocalLayer", "CONFIG": {"capacity": 1000}}}
    # Counters of rate limits live here: with the default of 300 entries a flood of names would push them out.
    CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 100_000}}
    }

# Where jobs wait: in the database, or in Redis.
JOB_QUEUE = env.choice("JOB_QUEUE", "database", ("database", "redis"))
if JOB_QUEUE == "redis" and not REDIS_URL:
    raise ImproperlyConfigured("JOB_QUEUE is redis but REDIS_URL is not set: there is nowhere for jobs to wait.")
# Seconds after which a Redis that hangs is taken for absent by what stores jobs there: a request does not wait for it.
QUEUE_SECONDS = 0.5 if env.command() == "web" else 30.0
QUEUES = ["default", "bots", "thinkers", "mail", "proven", "doubtful"]
TASKS: dict[str, Any] = {"default": {"BACKEND": "games.jobs.database.NotifyingBackend", "QUEUES": QUEUES}}
if REDIS_URL:
    REDIS_OPTIONS = {"url": REDIS_URL, "prefix": "blockyou"}
    TASKS["redis"] = {"BACKEND": "games.jobs.redis_backend.RedisBackend", "QUEUES": QUEUES, "OPTIONS": REDIS_OPTIONS}

# MiB that a worker may have held before another one takes its place. With less than the least it would be too large
# before its first job.
WORKER_MEMORY = env.integer("WORKER_MEMORY", 400, least=250, most=1_000_000)

# Simulated games for each position of a review, and for a turn whose player asks for advice. They
# say how good both are, on any machine alike; what they cost is the machine's.
REVIEW_SIMULATIONS = env.integer("REVIEW_SIMULATIONS", 2000, least=10, most=100_000)
HINT_SIMULATIONS = env.integer("HINT_SIMULATIONS", 1000, least=10, most=100_000)

# The most that the bot of one seat may be told to simulate before each of its moves.
SEAT_SIMULATIONS = env.integer("SEAT_SIMULATIONS", 16_000, least=10, most=16_000)
# Instead of games: for how many seconds of CPU time. Time limits of thinking are longer (`games.bots.turns`).
SEAT_SECONDS = env.integer("SEAT_SECONDS", 10, least=1, most=20)

# Whether search engines may list the pages that are there for everybody, and whom to tell of a hole in the site.
SEARCH_ENGINES = env.flag("SEARCH_ENGINES", default=True)
SECURITY_CONTACT = env.contact("SECURITY_CONTACT")

# Who runs this site, whom to ask about what it keeps, and what else is to be said of that: its page on privacy.
SITE_HOST = env.text("SITE_HOST", "")
SITE_CONTACT = env.contact("SITE_CONTACT")
PRIVACY_TEXT = env.paragraphs("PRIVACY_FILE")

# Where the host's own pages are: a part of an address.
ADMIN_PATH = env.slug("ADMIN_PATH", "host")

# Without a token only this machine itself may ask for /metrics.
METRICS_TOKEN = env.text("METRICS_TOKEN", "")

# The private key by which push services know this site, made by `manage.py prepare`; without one no device is sent
# notices. Tests alone send to this machine.
PUSH_KEY = env.push_key("PUSH_KEY", stored=VAR_DIR / "push-key")
PUSH_TO_LOOPBACK = False

# What no table and no player may be called: words, one a line.
INSULTS_FILE = env.text("INSULTS_FILE", str(BASE_DIR / "accounts" / "insults.txt"))
if not Path(INSULTS_FILE).is_file():
    raise ImproperlyConfigured(f"INSULTS_FILE is {INSULTS_FILE}, and there is no such file.")

# What people may say at their tables: nothing ("off"), ready phrases alone, texts of their own where only people meet
# who know each other ("private"), or texts at every table; and for how many days after the end it is kept.
TALK = env.choice("TALK", "private", ("off", "phrases", "private", "every"))
TALK_DAYS = env.integer("TALK_DAYS", 90, least=1, most=3650)

# Whether games between people are rated, and ratings shown ("off" for neither); "quiet": not beside names at tables.
_RATINGS = env.flag_or("RATINGS", True, "quiet")
RATINGS, RATINGS_BESIDE_NAMES = bool(_RATINGS), _RATINGS is True
# Whether people see who is here, and when others were.
PRESENCE = env.flag("PRESENCE", True)
# For how many minutes after their password moderators handle reports without being asked for it again.
DESK_MINUTES = env.integer("DESK_MINUTES", 30, least=1, most=1440)

# Further engines as module:Class, for benchmarks and trials; games.roster.entries lists the real ones.
EXTRA_BOTS = env.words("EXTRA_BOTS")

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "accounts.forms.passwords.SiteWordsValidator"},
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
# Remembers for this browser that games are played in words, without the picture of the board (`games.views`).
SPOKEN_COOKIE_NAME = "__Host-spoken" if IS_HTTPS else "spoken"
# The cookie with the strength of bots that was chosen last (`games.views.site.home`).
STRENGTH_COOKIE_NAME = "__Host-strength" if IS_HTTPS else "strength"
# The time zone of a browser without a login (`accounts.readers.zones`).
ZONE_COOKIE_NAME = "__Host-zone" if IS_HTTPS else "zone"
DEVICE_COOKIE_NAME = "__Host-device" if IS_HTTPS else "device"
LANGUAGE_COOKIE_HTTPONLY = SESSION_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Messages ride in the session: one cookie fewer, and nothing for a visitor to edit.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

EMAIL_IS_SET = bool(env.text("EMAIL_URL", ""))
globals().update(env.email("EMAIL_URL"))
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("EMAIL_FROM", f"Block-You <noreply@{PUBLIC_HOST}>")

# People. Without EMAIL_URL an address is optional and never asked to be confirmed; with it, it must be given, and is
# confirmed later: a new member plays at once.
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
ACCOUNT_EMAIL_VERIFICATION = "optional" if EMAIL_IS_SET else "none"
ACCOUNT_EMAIL_NOTIFICATIONS = EMAIL_IS_SET
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # accounts.doors does it: a guest may log in
# An address typed wrong is another person's: their confirming it must not let them in.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = False
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
# Passkeys and one-time codes. They ask for no confirmed address: here it need not be given at all, and another account
# may have it too. A code is right for its half minute alone, and recovery codes are seen once.
MFA_ADAPTER = "accounts.keys.adapter.KeyAdapter"
MFA_FORMS = {
    "authenticate": "accounts.keys.forms.LogInCodeForm",
    "reauthenticate": "accounts.keys.forms.AgainCodeForm",
    "activate_totp": "accounts.keys.forms.FirstCodeForm",
    "add_webauthn": "accounts.keys.forms.NewPasskeyForm",
    "edit_webauthn": "accounts.keys.forms.PasskeyNameForm",
    "login_webauthn": "accounts.keys.forms.LogInPasskeyForm",
    "authenticate_webauthn": "accounts.keys.forms.StepPasskeyForm",
    "reauthenticate_webauthn": "accounts.keys.forms.AgainPasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Of whatever question the answer is: a passkey logs in alone, so the device's own check is always asked for.
MFA_WEBAUTHN_USER_VERIFICATION = "required"
# As many as log in from a school behind one address: there is nothing to guess.
MFA_RATE_LIMITS = {"webauthn_login": "60/m/ip"}
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_RECOVERY_CODE_DIGITS = 12
MFA_RECOVERY_CODES_SHOW_ONCE = True
# The host's own sign-on, empty without one, and who may make an account: everybody, who comes by it, or nobody. No
# address leads to an account, no token is kept.
SIGN_ON = env.provider(
    env.text("OIDC_ISSUER", ""), env.text("OIDC_CLIENT", ""), env.text("OIDC_SECRET", ""), env.text("OIDC_NAME", "")
)
SIGN_UP = env.choice("SIGN_UP", "open", ("open", "sign-on", "closed"))
if SIGN_UP == "sign-on" and not SIGN_ON:
    raise ImproperlyConfigured("SIGN_UP is sign-on, and there is none: set OIDC_ISSUER, OIDC_CLIENT and OIDC_SECRET.")
SOCIALACCOUNT_ADAPTER = "accounts.sign_on.asking.SignOnAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = SOCIALACCOUNT_STORE_TOKENS = False
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
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(VAR_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "blockyou.assets.storage.ModuleStaticFilesStorage"},
}
WHITENOISE_MAX_AGE = 3600
# A name with a hash means one content for ever, in files of other releases as well.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.[a-z0-9]+$"

LANGUAGE_CODE = "en"
# Each language is called as it calls itself, whatever the page is written in.
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "blockyou.formats"
USE_TZ = True
TIME_ZONE = "UTC"
