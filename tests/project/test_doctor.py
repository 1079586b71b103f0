"""`manage.py doctor` finds what a host gets wrong, and says what to do."""

import errno
import json
import os
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from blockyou import checkup
from blockyou.checkup import LOOKS, CheckFailed, diagnoses
from games.background.sweep import hold_lease, note_starved
from games.bots.engines import compiled

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="looks at SQLite's file")


class Answering(BaseHTTPRequestHandler):
    """A site, or a proxy before it, that answers everything alike."""

    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.send_header("Location", self.path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def address() -> Iterator[str]:
    """Yield the address of a site that answers."""
    Answering.status = 200
    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def site(settings: Any, tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the settings of an installation at which all is well."""
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.PUBLIC_URL, settings.PUBLIC_URL_IS_KNOWN, settings.REDIS_URL = address, True, ""
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "a.1.css").write_text("")
    (settings.STATIC_ROOT / "staticfiles.json").write_text(json.dumps({"paths": {"a.css": "a.1.css"}}))
    tmp_path.chmod(0o700)
    monkeypatch.setattr(compiled, "IS_COMPILED", True)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return settings


@pytest.fixture
def swept(db: None) -> None:
    """Let the database be its owner's, and a sweep have just been made."""
    if connection.vendor == "sqlite":
        for end in ("", "-wal", "-shm"):
            if (path := Path(f"{connection.settings_dict['NAME']}{end}")).exists():
                path.chmod(0o600)
    hold_lease("a process", timezone.now())


def problem(part: str) -> str:
    """Return what is found wrong with a part."""
    with pytest.raises(CheckFailed) as wrong:
        LOOKS[part]()
    return str(wrong.value)


@pytest.mark.usefixtures("site", "swept")
def test_a_good_installation_has_a_line_a_part_and_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert [(each.part, each.says) for each in diagnoses() if not each.is_well] == []
    call_command("doctor")
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == [*LOOKS]


@pytest.mark.usefixtures("swept")
def test_something_wrong_is_said_with_what_to_do_and_status_1(site: Any, capsys: pytest.CaptureFixture[str]) -> None:
    site.DEBUG = True
    with pytest.raises(SystemExit) as end:
        call_command("doctor")
    wrong = [line for line in capsys.readouterr().out.splitlines() if line.startswith("WRONG")]
    assert end.value.code == 1
    assert wrong == ["WRONG  settings  " + problem("settings")]


def test_a_folder_of_another_user_or_none_is_found(site: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert "belongs to another user" in problem("folders")
    site.VAR_DIR = tmp_path / "nowhere"
    assert "does not exist" in problem("folders")


@pytest.mark.usefixtures("site")
def test_a_secret_that_others_can_read_is_found(tmp_path: Path) -> None:
    (tmp_path / "secret-key").write_text("x")
    (tmp_path / "secret-key").chmod(0o644)
    assert f"Others can read {tmp_path / 'secret-key'}" in problem("folders")


@pytest.mark.usefixtures("site")
def test_a_disk_that_is_nearly_full_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=300 << 20))
    assert "300 MiB are free" in problem("disk")


@sqlite_only
@pytest.mark.usefixtures("site")
def test_a_disk_of_the_database_alone_that_is_nearly_full_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(
        "shutil.disk_usage", lambda path: SimpleNamespace(free=(300 << 20) + (path == tmp_path) * 2**40)
    )
    assert "300 MiB are free" in problem("disk")


@sqlite_only
@pytest.mark.usefixtures("site", "swept")
def test_a_database_without_room_for_a_move_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_room: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    assert "It has no room for a move ([Errno 28] No space left on device)" in problem("database")


@pytest.mark.usefixtures("site", "swept")
def test_a_weak_or_old_database_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "weaknesses", lambda _connection: ["synchronous is 1, not 2"])
    assert "It may lose moves: synchronous is 1, not 2" in problem("database")
    monkeypatch.setattr(checkup, "OLDEST", {"sqlite": (99, 1), "postgresql": (99, 1)})
    assert "too old" in problem("database")


@pytest.mark.usefixtures("site", "swept")
def test_without_its_database_a_site_is_not_said_to_have_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "weaknesses", lambda _connection: ["all is lost"])
    said = {each.part: each.says for each in diagnoses() if not each.is_well}
    assert said["sweep"] == "Unknown: mend the database first."


@pytest.mark.usefixtures("site", "swept")
def test_migrations_that_are_not_applied_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["one", "two"])
    assert "2 migrations are not applied" in problem("database")


def test_a_redis_that_does_not_answer_is_found(site: Any) -> None:
    site.REDIS_URL = "redis://127.0.0.1:1"
    site.CACHES = {"default": {"BACKEND": "blockyou.cache.ForgivingCache", "LOCATION": site.REDIS_URL}}
    try:
        assert "It does not answer" in problem("redis")
    finally:
        site.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def test_a_mail_server_that_does_not_answer_is_found(site: Any) -> None:
    site.EMAIL_IS_SET, site.EMAIL_HOST, site.EMAIL_PORT = True, "127.0.0.1", 1
    site.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert "does not let this site in (ConnectionRefusedError)" in problem("mail")


def test_a_mail_server_that_hangs_is_found(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blockyou.checkup.ANSWER_WITHIN_SECONDS", 0.1)
    site.EMAIL_IS_SET, site.EMAIL_BACKEND = True, "django.core.mail.backends.smtp.EmailBackend"
    with socket.create_server(("127.0.0.1", 0)) as silent:
        site.EMAIL_HOST, site.EMAIL_PORT = silent.getsockname()
        assert "does not answer within 0.1 s, and e-mails wait" in problem("mail")


def test_static_files_that_are_missing_are_found(site: Any) -> None:
    (site.STATIC_ROOT / "a.1.css").unlink()
    assert "1 of 1 files are missing" in problem("static")
    (site.STATIC_ROOT / "staticfiles.json").unlink()
    assert "has not been filled" in problem("static")


@pytest.mark.usefixtures("site")
def test_engines_without_a_compiler_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "IS_COMPILED", False)
    assert "Bots are 20 times as slow" in problem("engines")


@pytest.mark.django_db
@pytest.mark.usefixtures("site")
def test_a_sweep_that_does_not_run_is_found() -> None:
    assert "No sweep runs" in problem("sweep")


@pytest.mark.usefixtures("site", "swept")
def test_programs_that_keep_jobs_from_the_processors_are_found() -> None:
    assert LOOKS["processors"]() == "All is well."
    note_starved(timezone.now())
    assert "Other programs keep bots, or other jobs, from the processors" in problem("processors")


@pytest.mark.parametrize(
    ("status", "says"),
    [(301, "X-Forwarded-Proto"), (400, "another Host"), (502, "does not reach"), (500, "answers 500")],
)
@pytest.mark.usefixtures("site")
def test_what_a_proxy_does_wrong_is_found(status: int, says: str) -> None:
    Answering.status = status
    assert says in problem("address")


def test_tls_without_a_proxy_that_is_believed_is_found(site: Any) -> None:
    site.IS_HTTPS, site.SECURE_PROXY_SSL_HEADER = True, None
    assert "Set BEHIND_PROXY=on" in problem("address")


def test_an_address_where_nothing_answers_is_found(site: Any) -> None:
    site.PUBLIC_URL = "http://127.0.0.1:1"
    assert "Nothing answers at http://127.0.0.1:1" in problem("address")
