"""What a host gets wrong, looked for one by one: `manage.py doctor`. Nothing is changed, and no mail is sent."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.client import OK, HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from smtplib import SMTPException
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from blockyou.cache import ForgivingCache
from blockyou.database import weaknesses
from blockyou.install.private import open_to_others
from games.views.site import health

OLDEST: dict[str, tuple[int, ...]] = {"postgresql": (14,), "sqlite": (3, 31)}
OLDEST_REDIS = 6
LEAST_FREE_BYTES = 1 << 30
MOST_CLOCK_SECONDS = 2.0
ANSWER_WITHIN_SECONDS = 5


@dataclass(frozen=True)
class Diagnosis:
    """What was found of one part, in a sentence; if something is wrong, with what to do."""

    part: str
    is_well: bool
    says: str


def diagnoses() -> Iterator[Diagnosis]:
    """Yield a diagnosis a part, in the order in which parts build on each other."""
    is_readable = True
    for part, look in LOOKS.items():
        if not is_readable and part in OF_DATABASE:
            yield Diagnosis(part, False, "Unknown: mend the database first.")
            continue
        try:
            problem, says = "", look()
        except CheckFailed as error:
            problem, says = str(error), ""
        except (DatabaseError, ImproperlyConfigured) as error:
            problem, says = f"The database does not answer: {str(error).strip().splitlines()[0]}", ""
        is_readable = is_readable and not (problem and part == "database")
        yield Diagnosis(part, not problem, problem or says)


class CheckFailed(Exception):  # noqa: N818  (it is raised where something is)
    """Something is wrong; the message says what, and what to do."""


def look_at_settings() -> str:
    """Say whether the settings are those of a site."""
    if settings.DEBUG:
        raise CheckFailed(
            "These are the settings for work. Set DJANGO_SETTINGS_MODULE=blockyou.settings.prod, or make run."
        )
    if settings.PUBLIC_HOST.startswith("127.") and not settings.PUBLIC_URL_IS_KNOWN:
        raise CheckFailed("PUBLIC_URL is not set: links in e-mails lead nowhere. Set it to the address people use.")
    return f"Release {settings.RELEASE}, {os.environ.get('DJANGO_SETTINGS_MODULE')}."


def look_at_folders() -> str:
    """Say whether this process may keep what it has to, and no one else may read it."""
    var = Path(settings.VAR_DIR)
    if not var.is_dir():
        raise CheckFailed(f"{var} does not exist. Start the site once, or set VAR_DIR as for the site.")
    if not os.access(var, os.R_OK | os.W_OK | os.X_OK):
        raise CheckFailed(
            f"{var} cannot be written by this user. Run this as the user of the service, or chown the folder."
        )
    if var.stat().st_uid != os.getuid():
        raise CheckFailed(
            f"{var} belongs to another user. Run this as the user of the service: sudo -u ... manage.py doctor"
        )
    database = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    opened = open_to_others(var, database)
    if opened:
        raise CheckFailed(
            f"Others can read {opened[0]} ({len(opened)} in all). The next start closes them; or chmod o= now."
        )
    return f"{var} is this user's alone."


def look_at_disk() -> str:
    """Say whether there is room for what people play."""
    places = [Path(settings.VAR_DIR)]
    if connection.vendor == "sqlite":
        places.append(Path(connection.settings_dict["NAME"]).parent)
    free = min(shutil.disk_usage(place if place.exists() else "/").free for place in places)
    if free < LEAST_FREE_BYTES:
        raise CheckFailed(f"{free >> 20} MiB are free. Make room: a full disk stops every move and every backup.")
    return f"{free >> 30} GiB are free."


def look_at_database() -> str:
    """Say whether the database keeps what it acknowledges, is new enough and has this release's tables."""
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        raise CheckFailed(
            f"{connection.settings_dict['NAME']} does not exist. Start the site once, or mend DATABASE_URL."
        )
    connection.ensure_connection()
    found: tuple[int, ...] = sqlite3.sqlite_version_info
    if connection.vendor == "postgresql":
        found = divmod(connection.pg_version, 10000)  # type: ignore[attr-defined]
    name, oldest = connection.display_name, OLDEST[connection.vendor]
    if found < oldest:
        raise CheckFailed(f"{name} {found[0]} is too old. Upgrade to {'.'.join(map(str, oldest))} or newer.")
    if problems := weaknesses(connection):
        raise CheckFailed(f"It may lose moves: {'; '.join(problems)}. See Settings in docs/operations.md.")
    executor = MigrationExecutor(connection)
    if plan := executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CheckFailed(f"{len(plan)} migrations are not applied. Run manage.py prepare (make run does).")
    try:
        health.check_room()
    except (DatabaseError, OSError) as error:
        raise CheckFailed(
            f"It has no room for a move ({str(error).strip().splitlines()[0]}). Make room on its disk."
        ) from error
    return f"{name} {'.'.join(map(str, found))} keeps what it acknowledges."


def look_at_clock() -> str:
    """Say whether this machine and the database agree on the time, by which turns end."""
    if connection.vendor != "postgresql":
        return "The database has this machine's own."
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (there,) = cursor.fetchone()
    apart = abs((timezone.now() - there).total_seconds())
    if apart > MOST_CLOCK_SECONDS:
        raise CheckFailed(
            f"This machine and the database are {apart:.0f} s apart. Let both follow a time server (NTP)."
        )
    return f"This machine and the database are {apart:.1f} s apart."


def look_at_redis() -> str:
    """Say whether Redis answers and is new enough, where there is one."""
    if not settings.REDIS_URL:
        return "None is set: one web process hears of everything by itself."
    version = cast(ForgivingCache, caches["default"]).server_version()
    if not version:
        raise CheckFailed("It does not answer: open pages miss moves until they look. Start it, or mend REDIS_URL.")
    if int(version.split(".")[0]) < OLDEST_REDIS:
        raise CheckFailed(f"Redis {version} is too old. Upgrade to {OLDEST_REDIS} or newer.")
    return f"Redis {version} answers."


def look_at_mail() -> str:
    """Say whether the mail server lets this site in; no mail is sent."""
    if not settings.EMAIL_IS_SET:
        return "EMAIL_URL is not set: no e-mail is sent, and lost passwords need manage.py reset_link."
    server, began = get_connection(timeout=ANSWER_WITHIN_SECONDS), time.monotonic()
    try:
        server.open()
    except (OSError, SMTPException) as error:
        if time.monotonic() - began >= ANSWER_WITHIN_SECONDS:
            raise CheckFailed(
                f"The mail server does not answer within {ANSWER_WITHIN_SECONDS:g} s, and e-mails wait. Look after it, "
                "or name another one by EMAIL_URL."
            ) from error
        # What a server says may repeat the name of its user.
        raise CheckFailed(
            f"The mail server does not let this site in ({type(error).__name__}). Mend EMAIL_URL."
        ) from error
    finally:
        server.close()
    return "The mail server lets this site in."


def look_at_static_files() -> str:
    """Say whether every stylesheet and script that pages name is there."""
    root = Path(settings.STATIC_ROOT)
    manifest = root / "staticfiles.json"
    if not manifest.exists():
        raise CheckFailed(f"{root} has not been filled. Run manage.py prepare (make run does).")
    named = json.loads(manifest.read_text("utf-8"))["paths"].values()
    missing = [name for name in named if not (root / name).exists()]
    if missing:
        raise CheckFailed(
            f"{len(missing)} of {len(named)} files are missing in {root}. Delete it; run manage.py prepare."
        )
    return f"{len(named)} files are there."


def look_at_engines() -> str:
    """Say whether bots play at their full speed."""
    # Here, since it loads the compiler.
    from games.bots.engines import compiled, kept

    if not compiled.IS_COMPILED:
        raise CheckFailed(
            "Bots are 20 times as slow: numba is missing, or BOTS_COMPILED is 0. Run make run, or unset it."
        )
    folder = kept.cache_folder()
    if not kept.can_keep(folder):
        raise CheckFailed(f"{folder} cannot be written: every start compiles for half a minute. Mend VAR_DIR's owner.")
    if kept.is_to_compile():
        return f"They will be compiled at the workers' next start, and kept in {folder}."
    return f"They are compiled, in {folder}."


def look_at_address() -> str:
    """Say whether the site answers at the address that people use, as itself."""
    if settings.IS_HTTPS and not settings.SECURE_PROXY_SSL_HEADER:
        raise CheckFailed(
            "PUBLIC_URL is https, and BEHIND_PROXY is off: every page leads to itself. Set BEHIND_PROXY=on."
        )
    place = urlsplit(settings.PUBLIC_URL)
    kind = HTTPSConnection if place.scheme == "https" else HTTPConnection
    site = kind(place.netloc, timeout=ANSWER_WITHIN_SECONDS)
    try:
        site.request("GET", "/manifest.webmanifest")
        status = site.getresponse().status
    except (OSError, HTTPException) as error:
        raise CheckFailed(
            f"Nothing answers at {settings.PUBLIC_URL} from here ({error}). Is the site running?"
        ) from error
    finally:
        site.close()
    if status != OK:
        raise CheckFailed(HINTS.get(status, f"{settings.PUBLIC_URL} answers {status}. See the logs of site and proxy."))
    return f"The site answers at {settings.PUBLIC_URL}."


#: What an answer to the address that people use means.
HINTS = {
    301: "Every page leads to itself: let the proxy send X-Forwarded-Proto (docs/operations.md has examples).",
    400: "The proxy passes another Host on: let it send the visitor's (docs/operations.md), or add to ALLOWED_HOSTS.",
    502: "The proxy does not reach the site. Is it running, at the port that the proxy asks?",
}


def look_at_health(part: str, advice: str) -> Callable[[], str]:
    """Return a look at a part of the health page."""

    def look() -> str:
        health.Memory.found.pop(part, None)
        if not health.PARTS[part]():
            raise CheckFailed(advice)
        return "All is well."

    return look


#: What looks at each part: it returns in a sentence what is right, or raises `CheckFailed`.
LOOKS: dict[str, Callable[[], str]] = {
    "settings": look_at_settings,
    "folders": look_at_folders,
    "disk": look_at_disk,
    "database": look_at_database,
    "clock": look_at_clock,
    "redis": look_at_redis,
    "mail": look_at_mail,
    "static": look_at_static_files,
    "engines": look_at_engines,
    "workers": look_at_health("jobs", "A job has waited for two minutes. Start manage.py work, or more of it."),
    "sweep": look_at_health("sweep", "No sweep runs: what a crash loses stays lost. Start manage.py sweep."),
    "processors": look_at_health(
        "processors",
        "Other programs keep bots, or other jobs, from the processors. Move those away, give the workers more of them "
        "(CPUWeight), or lower WORKER_NICENESS.",
    ),
    "turns": look_at_health(
        "turns", "A bot has been due for ten minutes. Look for Parked in the log; restart the sweep."
    ),
    "bots": look_at_health(
        "bots", "The greedy engine places for bots that fail. Look for 'failed at move' in the log."
    ),
    "address": look_at_address,
}
#: What only the database can tell.
OF_DATABASE = frozenset({"clock", "workers", "sweep", "processors", "turns", "bots"})
