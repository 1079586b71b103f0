"""The files of deploy/ fit the site, and each other: settings, commands, folders and limits are those that exist."""

import configparser
import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.urls import reverse

from blockyou.processes.intake import MOST_OF_ONE_ADDRESS
from tests.architecture.test_what_documents_say import OPERATIONS, rows, section
from tests.browser.site import free_port
from tests.project.processes.test_restarts import accepts, wait_for
from tests.reliability.addresses import addresses
from tests.reliability.world import parts

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = DEPLOY / "systemd"
SERVICES = sorted(UNITS.glob("*.service"))
SETTINGS = {row[0].strip("`") for row in rows(section(OPERATIONS, "## Settings"))}
ENVIRONMENT = (DEPLOY / "block-you.env").read_text()
NGINX = (DEPLOY / "nginx.conf").read_text()
CADDY = (DEPLOY / "Caddyfile").read_text()
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
COMPOSE = (DEPLOY / "compose.yaml").read_text()
#: What images, compose and the proxies of compose know beside the settings of the site.
OTHERS = {"PATH", "PYTHONUNBUFFERED", "DOMAIN", "STATIC_PARENT", "UPSTREAM", "POSTGRES_USER", "POSTGRES_PASSWORD"}


def unit(path: Path) -> dict[str, dict[str, str]]:
    """Return the sections of a unit; of a name that comes twice, the last value."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the library's own advice
    parser.read_string(path.read_text())
    return {name: dict(parser.items(name)) for name in parser.sections()}


def assignments(text: str) -> dict[str, str]:
    """Return the variables in a file of them, those in comments too, and their values without quotes."""
    return {name: value.strip('"') for name, value in re.findall(r"^#?([A-Z][A-Z_]+)=(.*)$", text, re.MULTILINE)}


def test_the_environment_file_sets_what_the_site_reads() -> None:
    assert len(assignments(ENVIRONMENT)) > 8
    assert set(assignments(ENVIRONMENT)) <= SETTINGS


def test_the_environment_file_means_the_same_to_systemd_and_to_a_shell() -> None:
    for line in ENVIRONMENT.splitlines():
        if found := re.fullmatch(r"#?([A-Z][A-Z_]+=.*)", line):
            assert len(shlex.split(found[1])) == 1
            assert not set(found[1]) & set("$`\\'")


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: str(path.name))
def test_every_service_runs_a_command_that_exists(path: Path) -> None:
    assert path.name.startswith("block-you-"), "the hardening is for these names"
    command = unit(path)["Service"]["ExecStart"].split()
    assert command[0].startswith("/srv/block-you/current/")
    if command[1] == "-m":
        assert (ROOT / command[2].replace(".", "/")).with_suffix(".py").exists()
    else:
        assert command[1] == "manage.py"
        assert command[2] in get_commands()


def test_no_service_that_writes_steps_back_further_than_a_worker() -> None:
    read_alone = {"block-you-backup.service"}
    assert read_alone < {path.name for path in SERVICES}
    least = unit(UNITS / "block-you-work.service")["Service"]["CPUWeight"]
    assert int(least) >= 30
    for path in SERVICES:
        service = unit(path)["Service"]
        if path.name not in read_alone:
            assert int(service.get("CPUWeight", "100")) >= int(least), path.name
            assert "Nice" not in service, path.name


def test_service_cron_and_manage_share_one_environment_and_folder() -> None:
    shared = unit(UNITS / "block-you-.service.d" / "common.conf")["Service"]
    script = (DEPLOY / "manage").read_text()
    for value in (shared["EnvironmentFile"], shared["WorkingDirectory"], f"-{shared['User']}}}"):
        assert value in script
    assert [path.name for path in SERVICES if "EnvironmentFile" in path.read_text()] == []
    values = assignments(ENVIRONMENT)
    assert values["VAR_DIR"] == f"/var/lib/{shared['StateDirectory']}"
    assert Path(values["STATIC_ROOT"]).parent == Path("/var/cache") / shared["CacheDirectory"]


def test_a_service_gets_longer_to_end_than_its_processes_take() -> None:
    times = {path.name: unit(path)["Service"].get("TimeoutStopSec", "90") for path in SERVICES}
    assert {name: seconds for name, seconds in times.items() if int(seconds) < 8} == {}


def test_the_script_runs_a_command_with_the_environment_of_the_site(tmp_path: Path) -> None:
    environment = tmp_path / "env"
    environment.write_text(f'DJANGO_SETTINGS_MODULE=blockyou.settings.test\nEMAIL_FROM="A B"\nVAR_DIR={tmp_path}\n')
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    chosen = {"BLOCK_YOU_ENV": str(environment), "BLOCK_YOU_HOME": str(ROOT), "BLOCK_YOU_USER": user}
    told = subprocess.run(
        [DEPLOY / "manage", "shell", "-c", "from django.conf import settings as s; print(s.DEFAULT_FROM_EMAIL)"],
        env={**os.environ, **chosen}, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert told.stdout.splitlines()[-1] == "A B"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_the_services_may_do_little(tmp_path: Path) -> None:
    folder = tmp_path / "etc" / "systemd" / "system"
    shutil.copytree(UNITS, folder)
    names = [path.name.replace("@", "@8001") for path in SERVICES]
    command = ["systemd-analyze", "security", "--offline=true", f"--root={tmp_path}", "--threshold=30", *names]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    levels = re.findall(r"Overall exposure level for (\S+): ([\d.]+)", told.stdout)
    assert len(levels) == len(SERVICES)
    assert [level for level in levels if float(level[1]) > 3] == []


@pytest.mark.parametrize("proxy", [NGINX, CADDY], ids=["nginx", "Caddy"])
def test_a_proxy_serves_the_static_files_from_where_they_are(proxy: str) -> None:
    parent = str(Path(assignments(ENVIRONMENT)["STATIC_ROOT"]).parent)
    assert re.search(rf"^\s+root .*{re.escape(parent)}[;}}]", proxy, re.MULTILINE)
    hashed = settings.WHITENOISE_IMMUTABLE_FILE_TEST.removesuffix("$")
    assert f"^/static/.+{hashed}$" in proxy
    assert "max-age=315360000, immutable" in proxy


@pytest.mark.parametrize(("proxy", "size"), [(NGINX, "3m"), (CADDY, "3MiB")], ids=["nginx", "Caddy"])
def test_a_proxy_lets_through_what_people_may_hand_in_and_little_more(proxy: str, size: str) -> None:
    assert re.search(rf"(?:client_max_body_size|max_size) +{size}\b", proxy)
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE < 3_000_000 < 2 * settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@pytest.mark.skipif(not shutil.which("caddy"), reason="there is no Caddy here")
def test_caddy_takes_its_file() -> None:
    told = subprocess.run(
        ["caddy", "adapt", "--adapter", "caddyfile", "--config", DEPLOY / "Caddyfile"],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx here")
def test_nginx_takes_its_file(tmp_path: Path) -> None:
    # Without a certificate: the test would need one.
    site = re.sub(r"^ *ssl_certificate.*$|\bssl http2\b", "", NGINX, flags=re.MULTILINE)
    site = re.sub(r"\b(80|443)\b", r"8\1", site)
    (tmp_path / "site").write_text(site)
    main = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; include {tmp_path}/site; }}"
    (tmp_path / "nginx.conf").write_text(main)
    told = subprocess.run(
        ["nginx", "-t", "-c", tmp_path / "nginx.conf"], capture_output=True, text=True, timeout=30, check=False
    )
    assert "syntax is ok" in told.stderr, told.stderr


SECRET = "Sekret77"
#: Parts of addresses that anybody may know.
KNOWN = {
    "slug",
    "username",
    "bot",
    "study",
    "seek",
    "variant",
    "pk",
    "path",
    "opening",
    "account",
    "name",
    "webhook",
    "rest",
    "person",
    "line",
    "decision",
    "appeal",
    "family",
    "group",
    "handle",
    "member",
    "child",
    "number",
    "comment",
    "day",
}


def secret_addresses() -> list[str]:
    """Return a path for each address of the site with a secret in it, and one with a secret in its query."""
    names = [name for name in addresses() if set(parts(name)) - KNOWN]
    assert {"invitation", "calendar", "account_reset_password_from_key", "child-enter"} <= set(names)
    assert "account-restore-address" in names
    paths = [reverse(name, kwargs=dict.fromkeys(parts(name), SECRET)) for name in names]
    return [*paths, f"/games/abc/?token={SECRET}", f"/accounts/login/?next=/join/{SECRET}/"]


@contextlib.contextmanager
def serving(command: list[str | Path], port: int, **environment: str) -> Iterator[None]:
    """Run a proxy until the end of the block."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.PIPE)
    try:
        wait_for(lambda: accepts(port) or process.poll() is not None)
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=30)


def status_at(port: int, path: str, page_before: str = "/") -> int:
    """Return the status of a page that another page leads to."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=30)) as link:
        link.request("GET", path, headers={"Host": "blockyou.example.org", "Referer": page_before})
        return link.getresponse().status


def nginx_at(port: int, folder: Path, upstream: int, **replaced: str) -> list[str | Path]:
    """Return the command that runs the site's proxy without TLS, its logs in a folder; nothing else is changed."""
    folder.chmod(0o755)
    site = NGINX.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}").replace("/var/log/nginx/", f"{folder}/")
    for old, new in replaced.items():
        assert old in site
        site = site.replace(old, new)
    site = re.sub(r"^ *(ssl_\w+|listen +(80|\[::\]:\d+)).*$", "", site, flags=re.MULTILINE)
    site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    # The server that only leads to https.
    site = re.sub(r"^server \{[^}]*return 301[^}]*\}$", "", site, flags=re.MULTILINE)
    (folder / "site").write_text(site)
    kept = "".join(f"{name}_temp_path {folder}/{name}; " for name in ("proxy", "fastcgi", "uwsgi", "scgi"))
    http = f"client_body_temp_path {folder}/body; {kept} access_log off; include {folder}/site;"
    main = f"daemon off; pid {folder}/pid; error_log {folder}/main crit; events {{}} http {{ {http} }}"
    (folder / "nginx.conf").write_text(main)
    return ["nginx", "-c", folder / "nginx.conf"]


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx here")
def test_nginx_writes_down_no_secret_of_an_address(tmp_path: Path) -> None:
    port = free_port()
    with serving(nginx_at(port, tmp_path, free_port()), port):
        for path in secret_addresses():
            # The process behind it is gone, which nginx has more to say of.
            assert status_at(port, path, f"https://blockyou.example.org{path}") == 502
    written = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert '"GET /join/..." 502' in written
    assert '"GET /games/abc/" 502' in written
    assert written.count(" 502 ") == len(secret_addresses())
    assert SECRET not in written


@pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx here")
def test_nginx_lets_an_address_have_so_many_connections_and_no_more(tmp_path: Path) -> None:
    assert f"block_you_visitors {MOST_OF_ONE_ADDRESS};" in NGINX
    port = free_port()
    with socket.create_server(("127.0.0.1", 0)) as silent, contextlib.ExitStack() as held:
        held.enter_context(
            serving(
                nginx_at(
                    port,
                    tmp_path,
                    silent.getsockname()[1],
                    **{f"block_you_visitors {MOST_OF_ONE_ADDRESS};": "block_you_visitors 2;"},
                ),
                port,
            )
        )
        for _ in range(2):
            link = held.enter_context(contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=30)))
            link.request("GET", "/", headers={"Host": "blockyou.example.org"})
            held.enter_context(silent.accept()[0])
        assert status_at(port, "/") == 429


@pytest.mark.skipif(not shutil.which("caddy"), reason="there is no Caddy here")
def test_caddy_writes_down_no_secret_of_an_address(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    text = CADDY.replace("\tservers {", "\tadmin off\n\tservers {", 1).replace(
        "\tlog {", f"\tlog {{\n\t\toutput file {log}", 1
    )
    (tmp_path / "Caddyfile").write_text(text.replace("lb_try_duration 10s", "lb_try_duration 0s"))
    folders = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    places = {"DOMAIN": f"http://:{port}", "UPSTREAM": f"127.0.0.1:{free_port()}"}
    command: list[str | Path] = ["caddy", "run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"]
    with serving(command, port, **folders, **places):
        for path in secret_addresses():
            assert status_at(port, path, f"https://blockyou.example.org{path}") == 502
    written = log.read_text()
    assert '"uri":"/join/..."' in written
    assert '"uri":"/games/abc/..."' in written
    assert written.count('"status":502') == len(secret_addresses())
    assert SECRET not in written


def commands_of_compose() -> Iterator[str]:
    """Yield the management commands that compose runs."""
    for command in re.findall(r"command: \[python, (.*)\]", COMPOSE):
        yield command.split(", ")[1]


def test_compose_runs_every_process_and_sets_what_the_site_reads() -> None:
    assert set(commands_of_compose()) == {"prepare", "web", "work", "sweep"}
    named = set(re.findall(r"^ +([A-Z][A-Z_]+):", COMPOSE, re.MULTILINE))
    named |= set(re.findall(r"\$\{([A-Z_]+)", COMPOSE + CADDY.replace("{$", "${")))
    assert named - OTHERS <= SETTINGS


def test_the_image_holds_what_the_site_runs_on_and_writes_to_its_volumes_alone() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text()
    copied = re.findall(r"^!(\S+)$", ignored, re.MULTILINE)
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert {"accounts", "blockyou", "games", "locale", "static", "templates", "manage.py"} <= set(copied)
    named = dict(re.findall(r"^(?:ENV)? +([A-Z][A-Z_]+)=(\S+)", DOCKERFILE, re.MULTILINE))
    assert set(named) - OTHERS <= SETTINGS
    volumes = DOCKERFILE.partition("\nVOLUME ")[2].splitlines()[0].split()
    for name in ("VAR_DIR", "STATIC_ROOT", "NUMBA_CACHE_DIR"):
        assert named[name].startswith(tuple(volumes))
    assert "\nUSER blockyou\n" in DOCKERFILE
