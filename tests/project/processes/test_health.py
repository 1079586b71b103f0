"""A monitor learns whether a move could be kept and a bot would answer."""

import errno
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from blockyou.assets.storage import ModuleStaticFilesStorage
from games.background.sweep import hold_lease
from games.jobs import claim_job, enqueue, find_jobs
from games.models import Game, Move, Notification, Thought
from games.tasks import notify_of_turn
from games.views.site import health
from tests.conftest import LogIn
from tests.games.tables import ME, OPEN, bot, key, open_table, running
from tests.games.tasks.workers import forget_jobs, make_older

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="holds SQLite's one write lock")


@pytest.fixture(autouse=True)
def a_process_that_has_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.Memory, "written_at", float("-inf"))


def ask_for_job(age: timedelta, put_off_by: timedelta | None = None, queue: str = "") -> None:
    """Let a job have been asked for that long ago, which no worker has taken."""
    enqueue(notify_of_turn, 1, 1, queue=queue)
    make_older(find_jobs()[-1], age, put_off_by)


@pytest.fixture
def swept(db: None) -> None:
    """Let a process have swept just now."""
    hold_lease("a process", timezone.now())


@pytest.mark.usefixtures("swept")
@pytest.mark.django_db(transaction=True)
def test_a_site_that_works_says_so(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    parts = ("status", "database", "cache", "jobs", "sweep", "turns", "processors", "notices", "bots", "static")
    assert response.json() == {**dict.fromkeys(parts, "ok"), "version": settings.RELEASE}
    assert "no-store" in response["Cache-Control"]


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_database_that_takes_no_writes_is_a_failure(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "WRITE_TIMEOUT_MS", 1)
    client.get("/healthz?only=cache")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        response = client.get("/healthz")
    finally:
        other.close()
    assert (response.status_code, response.json()["database"]) == (503, "failing")


@pytest.fixture
def small_disk(transactional_db: None, alice: User, bob: User, tmp_path: Path) -> Iterator[Path]:
    """Let the database be on a disk of its own, with room for some games."""
    running(alice, bob)
    mounted = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", str(tmp_path)]
    if os.getuid() or subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("no disk can be mounted here")
    own = connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "db.sqlite3")])
    connection.close()
    connection.settings_dict["NAME"] = tmp_path / "db.sqlite3"
    try:
        yield tmp_path
    finally:
        connection.close()
        connection.settings_dict["NAME"] = own
        subprocess.run(["umount", str(tmp_path)], check=True)


def fill(disk: Path, but: int) -> None:
    """Leave so many bytes free on a disk."""
    found = os.statvfs(disk)
    with (disk / "filler").open("wb") as filler:
        os.posix_fallocate(filler.fileno(), 0, found.f_bavail * found.f_frsize - but)


@sqlite_only
def test_a_disk_without_room_for_a_move_is_a_failure(small_disk: Path, log_in: LogIn, alice: User) -> None:
    browser = log_in(alice)
    browser.raise_request_exception = False
    assert browser.get("/healthz?only=database").status_code == 200
    fill(small_disk, but=16 << 10)
    health.Memory.written_at = float("-inf")
    body = {"number": 1, "key": key(), "placement": "1:a1"}
    assert browser.post(f"/games/{Game.objects.get().slug}/place/", body).status_code == 503
    assert browser.get("/healthz?only=database").status_code == 503
    (small_disk / "filler").unlink()
    assert browser.get("/healthz?only=database").status_code == 200


@sqlite_only
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_a_disk_that_promises_no_room_is_a_failure(
    client: Client, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_room: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    assert client.get("/healthz?only=database").status_code == 503


@pytest.mark.skipif(connection.vendor != "postgresql", reason="asks PostgreSQL for room on its disk")
@pytest.mark.django_db(transaction=True)
def test_a_server_whose_disk_has_no_room_for_a_move_is_a_failure(client: Client) -> None:
    assert client.get("/healthz?only=database").status_code == 200
    health.Memory.written_at = float("-inf")
    with connection.cursor() as cursor:
        # A disk that fills up is told of a file that is written there; so is this limit of the files of a connection.
        cursor.execute("SET temp_file_limit = '256kB'")
        try:
            answer = client.get("/healthz?only=database")
        finally:
            cursor.execute("RESET temp_file_limit")
    assert (answer.status_code, answer.json()["database"]) == (503, "failing")
    assert client.get("/healthz?only=database").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_asking_often_writes_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    monkeypatch.setattr(health, "_write", lambda: writes.append(1))
    assert [client.get("/healthz?only=database").status_code for _ in range(10)] == [200] * 10
    assert len(writes) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (180, 503)])
def test_a_job_that_nobody_takes_is_a_failure(client: Client, seconds: int, status: int) -> None:
    ask_for_job(timedelta(seconds=seconds))
    assert client.get("/healthz?only=jobs").status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize(("queue", "status"), [("default", 200), ("thinkers", 503)])
def test_jobs_that_wait_behind_others_of_their_kind_are_no_failure(client: Client, queue: str, status: int) -> None:
    ask_for_job(timedelta(minutes=20), queue="default")
    ask_for_job(timedelta(minutes=20), queue=queue)
    first = find_jobs()[0]
    assert claim_job(first, "a worker")
    assert client.get("/healthz?only=jobs").status_code == status


@pytest.mark.django_db
def test_a_job_put_off_until_just_now_is_not_late(client: Client) -> None:
    ask_for_job(timedelta(days=1), put_off_by=timedelta(days=1) - timedelta(seconds=5))
    assert client.get("/healthz?only=jobs").status_code == 200


@pytest.mark.django_db
def test_one_part_can_be_asked_alone(client: Client) -> None:
    ask_for_job(timedelta(hours=1))
    assert client.get("/healthz?only=database").json() == {
        "status": "ok",
        "version": settings.RELEASE,
        "database": "ok",
    }
    assert client.get("/healthz?only=everything").status_code == 503


def test_a_cache_that_is_gone_is_a_failure(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "get", lambda _key: None)
    response = client.get("/healthz?only=cache")
    assert (response.status_code, response.json()["cache"]) == (503, "failing")


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "status"), [(None, 503), (0, 200), (60, 200), (120, 503)])
def test_a_sweep_that_nothing_renews_is_a_failure(client: Client, seconds: int | None, status: int) -> None:
    if seconds is not None:
        hold_lease("a process", timezone.now() - timedelta(seconds=seconds))
    assert client.get("/healthz?only=sweep").status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "status"), [(5, 200), (15, 503)])
def test_a_bot_whose_turn_is_parked_is_a_failure(client: Client, alice: User, minutes: int, status: int) -> None:
    open_table(alice, bot(), ME, now=timezone.now() - timedelta(minutes=minutes))
    forget_jobs()
    assert client.get("/healthz?only=turns").status_code == status


@pytest.mark.django_db(transaction=True)
def test_a_bot_that_waits_behind_others_is_none(client: Client, alice: User) -> None:
    for _ in range(2):
        open_table(alice, bot("sage-9"), bot("sage-9"), variant="duo", now=timezone.now() - timedelta(minutes=15))
    assert client.get("/healthz?only=turns").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "status"), [(5, 200), (15, 503)])
def test_a_notice_that_no_worker_looks_at_is_a_failure(client: Client, alice: User, minutes: int, status: int) -> None:
    game = open_table(alice, ME, OPEN)
    Notification.objects.record("over", game, [alice.pk], timezone.now() - timedelta(minutes=minutes))
    assert client.get("/healthz?only=notices").status_code == status


@pytest.mark.django_db
def test_a_person_who_takes_long_is_none(client: Client, alice: User, bob: User) -> None:
    running(alice, bob, now=timezone.now() - timedelta(days=1))
    assert client.get("/healthz?only=turns").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fallbacks", "moves", "minutes", "status"), [(2, 5, 0, 200), (4, 60, 0, 200), (3, 10, 0, 503), (9, 9, 20, 200)]
)
def test_bots_that_others_stand_in_for_are_a_failure(
    client: Client, alice: User, fallbacks: int, moves: int, minutes: int, status: int
) -> None:
    game, at = open_table(alice, bot(), ME), timezone.now() - timedelta(minutes=minutes)
    for number in range(1, moves + 1):
        move = Move.objects.create(game=game, number=number, kind="place", seat=0, version=number, played_at=at)
        Thought.objects.create(move=move, engine="fallback" if number <= fallbacks else "search")
    assert client.get("/healthz?only=bots").status_code == status


@pytest.mark.django_db
def test_a_balancer_asks_by_address_and_nothing_else_does(client: Client) -> None:
    assert client.get("/healthz?only=cache", headers={"host": "10.1.2.3:8001"}).status_code == 200
    assert client.get("/rules/", headers={"host": "10.1.2.3:8001"}).status_code == 400


def test_a_static_file_that_is_missing_is_a_failure(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = ModuleStaticFilesStorage(location=tmp_path)
    monkeypatch.setattr(health, "staticfiles_storage", storage)
    assert client.get("/healthz?only=static").status_code == 503
    storage.hashed_files = {"a.css": "a.123456789abc.css"}
    assert client.get("/healthz?only=static").status_code == 503
    (tmp_path / "a.123456789abc.css").touch()
    assert client.get("/healthz?only=static").json()["static"] == "ok"


def test_health_is_only_looked_at(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
