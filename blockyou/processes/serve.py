"""Serve Block-You by one command: get it ready, start its processes, keep them running, end them together.

HOST and PORT say where to listen, WEB_PROCESSES and JOB_WORKERS how many share the work; docs/operations.md lists
every setting. `--demo` seeds people and games first; `--dev` is for working on the code: DEBUG, and a fresh start of
whatever a changed file belongs to.
"""

import os
import shutil
import signal
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import socket
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from blockyou import env
from blockyou.install.secret_key import stored_secret
from blockyou.processes.network import handed_over, host_names, lan_addresses, listen
from blockyou.processes.supervisor import Child, Supervisor

ROOT = Path(__file__).resolve().parents[2]
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104  (compared with, not bound to)
READY_SECONDS = 60
# Thinking bots give way to pages, unless WORKER_NICENESS says otherwise. What writes never does: others wait for it.
LAST_IN_LINE = 19


def main() -> None:
    """Serve until Ctrl-C or SIGTERM; leave with one sentence when that cannot begin."""
    supervisor = Supervisor()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, supervisor.request_stop)
    try:
        serve(supervisor)
    except ImproperlyConfigured as error:
        sys.exit(f"Block-You cannot start. {error}")


def serve(supervisor: Supervisor) -> None:
    """Read the environment, take the port, prepare, and supervise the processes until asked to stop.

    Raises: ImproperlyConfigured.
    """
    host, listener = take_port()
    port = listener.getsockname()[1]
    surroundings = environment(host, port)
    children = shares("--dev" in sys.argv, listener)
    steps = ["prepare", *(["seed_demo"] if "--demo" in sys.argv else [])]
    if all(supervisor.run_once(step, surroundings) for step in steps):
        for child in children:
            child.environment = surroundings
        threading.Thread(target=announce, args=(host, port, surroundings), daemon=True).start()
        supervisor.keep_running(children)
    if supervisor.failure:
        sys.exit(supervisor.failure)


def take_port() -> tuple[str, socket]:
    """Return the host asked for and a socket that listens there; systemd's, with its host, if it hands one over.

    Raises: ImproperlyConfigured.
    """
    if given := handed_over():
        return str(given.getsockname()[0]), given
    host, port = env.text("HOST", "127.0.0.1"), env.integer("PORT", 8000, least=0, most=65535)
    try:
        return host, listen(host, port)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Port {port} on {host} cannot be used: {error.strerror}. Try another: PORT=8080."
        ) from None


def shares(is_dev: bool, listener: socket) -> list[Child]:
    """Return the processes of an installation.

    Raises: ImproperlyConfigured when several web processes would not hear each other.
    """
    web = env.integer("WEB_PROCESSES", 1, least=1, most=64)
    workers = env.integer("JOB_WORKERS", 2, least=1, most=64)
    niceness = env.integer("WORKER_NICENESS", LAST_IN_LINE, least=0, most=LAST_IN_LINE)
    if web > 1 and not env.text("REDIS_URL", ""):
        raise ImproperlyConfigured("WEB_PROCESSES above 1 needs REDIS_URL, so that the processes hear each other.")
    reload = "--reload" if is_dev else "--no-reload"
    # `prepare` has run the checks once; running them loads every page's code into processes that show none.
    # Only what thinks for the workers lets others go first (games.bots.thinker).
    work = ["work", "--skip-checks", "--processes", str(workers), "--niceness", str(niceness), reload]
    return [
        *(Child("web", ["web", reload], listener=listener) for _ in range(web)),
        Child("workers", work),
        Child("sweep", ["sweep", "--skip-checks"]),
    ]


def environment(host: str, port: int) -> dict[str, str]:
    """Return what the child processes see: this process's environment, completed by what follows from host and port.

    Raises: ImproperlyConfigured.
    """
    chosen = dict(os.environ)
    kind = "dev" if "--dev" in sys.argv else "prod"
    chosen.setdefault("DJANGO_SETTINGS_MODULE", f"blockyou.settings.{kind}")
    var = Path(env.text("VAR_DIR", str(ROOT / "var")))
    if not chosen.get("SECRET_KEY"):
        chosen["SECRET_KEY"] = stored_secret(var / "secret-key")
    if env.integer("WEB_PROCESSES", 1, least=1, most=64) > 1:
        chosen["PROMETHEUS_MULTIPROC_DIR"] = str(empty_folder(var / "metrics"))
    names = [*reachable_names(host)]
    if not chosen.get("PUBLIC_URL"):
        chosen["PUBLIC_URL"] = f"http://{names[0]}:{port}"
    if chosen["PUBLIC_URL"].startswith("https:") and not env.flag("BEHIND_PROXY", default=False):
        # Said here, not by the settings: commands know the stored address alone.
        raise ImproperlyConfigured(
            "PUBLIC_URL is https, and BEHIND_PROXY is off: every page would lead to itself. Set BEHIND_PROXY=on, "
            "where every request passes a proxy of yours."
        )
    if not chosen.get("ALLOWED_HOSTS"):
        chosen["ALLOWED_HOSTS"] = ",".join([env.hostname(chosen["PUBLIC_URL"]), *names])
    return chosen


def empty_folder(folder: Path) -> Path:
    """Return a folder of its owner's with nothing in it: numbers that processes of an earlier start shared are old."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700)
    return folder


def reachable_names(host: str) -> list[str]:
    """Return the names this server answers to, the one to tell people first."""
    own = ["127.0.0.1", "localhost", "[::1]"]
    if host in EVERYWHERE:
        return [*lan_addresses(), *host_names(), *own]
    return [*dict.fromkeys([f"[{host}]" if ":" in host else host, *own])]


def announce(host: str, port: int, surroundings: dict[str, str]) -> None:
    """Print the address once the site answers there."""
    allowed = surroundings["ALLOWED_HOSTS"].split(",")[0].strip().lstrip(".")
    if not answers("127.0.0.1" if host in EVERYWHERE else host, port, allowed):
        say("Block-You does not answer yet; the lines above may say why.")
        return
    say(f"Block-You is at {surroundings['PUBLIC_URL']} (Ctrl-C stops it)")
    say(way_of_mails(surroundings.get("EMAIL_URL", "")))
    if host in EVERYWHERE:
        others = [f"http://{name}:{port}" for name in reachable_names(host)[:-2]]
        say("Also at " + "  ".join(other for other in others if other != surroundings["PUBLIC_URL"]))


def way_of_mails(address: str) -> str:
    """Return a sentence about where e-mails go, without the password of a mail server."""
    url = urlsplit(address.strip())
    if not url.scheme:
        return "E-mails are not sent (EMAIL_URL is not set). Lost passwords: manage.py reset_link NAME"
    if url.scheme == "console":
        return "E-mails are printed here, and sent nowhere."
    if url.scheme == "file":
        return f"E-mails are written to {unquote(url.path)}, and sent nowhere."
    return f"E-mails go through {url.hostname}."


def answers(host: str, port: int, name: str) -> bool:
    """Return whether the site answers within a minute. The connection waits in the socket's queue until it can."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        connection = HTTPConnection(host, port, timeout=READY_SECONDS)
        try:
            connection.request("GET", "/healthz?only=database", headers={"Host": name})
            return connection.getresponse().status < 500
        except (OSError, HTTPException):
            time.sleep(0.5)
        finally:
            connection.close()
    return False


def say(sentence: str) -> None:
    """Print a sentence for the person at the terminal."""
    print(sentence, flush=True)  # noqa: T201  (this is the command's own voice, not a log)


if __name__ == "__main__":
    main()
