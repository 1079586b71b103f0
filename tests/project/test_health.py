"""A monitor learns whether a move could be kept and a bot would answer."""

import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult, get_date_max
from redis import RedisError

from games.views import health

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="holds SQLite's one write lock")


@pytest.fixture(autouse=True)
def a_process_that_has_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.Memory, "written_at", float("-inf"))


def waiting_job(**age: int) -> DBTaskResult:
    """Store a job that became due so long ago and that nobody has taken."""
    job = DBTaskResult.objects.create(
        args_kwargs={"args": [], "kwargs": {}}, backend_name="default", task_path="a.b", run_after=get_date_max()
    )
    DBTaskResult.objects.filter(pk=job.pk).update(enqueued_at=timezone.now() - timedelta(**age))
    return job


@pytest.mark.django_db(transaction=True)
def test_a_site_that_works_says_so(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": "ok", "cache": "ok", "jobs": "ok"}
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


@pytest.mark.django_db(transaction=True)
def test_asking_often_writes_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[int] = []
    monkeypatch.setattr(health, "_write", lambda: writes.append(1))
    assert [client.get("/healthz").status_code for _ in range(10)] == [200] * 10
    assert len(writes) == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "status"), [(60, 200), (180, 503)])
def test_a_job_that_nobody_takes_is_a_failure(client: Client, seconds: int, status: int) -> None:
    waiting_job(seconds=seconds)
    assert client.get("/healthz?only=jobs").status_code == status


@pytest.mark.django_db
def test_a_job_put_off_until_just_now_is_not_late(client: Client) -> None:
    job = waiting_job(days=1)
    DBTaskResult.objects.filter(pk=job.pk).update(run_after=timezone.now() - timedelta(seconds=5))
    assert client.get("/healthz?only=jobs").status_code == 200


@pytest.mark.django_db
def test_one_part_can_be_asked_alone(client: Client) -> None:
    waiting_job(hours=1)
    assert client.get("/healthz?only=database").json() == {"status": "ok", "database": "ok"}
    assert client.get("/healthz?only=everything").status_code == 503


def test_a_cache_that_is_gone_is_a_failure(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "set", refuse)
    response = client.get("/healthz?only=cache")
    assert (response.status_code, response.json()["cache"]) == (503, "failing")


def test_health_is_only_looked_at(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


def refuse(*args: Any, **kwargs: Any) -> None:
    """Behave as Redis does when it is not there."""
    raise RedisError("nobody there")
