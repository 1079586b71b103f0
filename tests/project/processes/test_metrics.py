"""Prometheus learns of requests, sockets, jobs, bots and the sweep; visitors learn nothing."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from blockyou import metrics
from games.background.sweep import hold_lease
from games.jobs import enqueue
from games.tasks import notify_of_turn
from tests.games.tables import ME, bot, open_table

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.django_db


def numbers(client: Client, **extra: Any) -> dict[str, float]:
    """Return every number of the page by its name and labels."""
    lines = client.get("/metrics", **extra).content.decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


def test_requests_are_counted_by_view_and_status_and_never_by_address(client: Client) -> None:
    for address in ("/rules/", "/rules/", "/games/aaaaaaaaaa/", "/nowhere/secret-token/"):
        client.get(address)
    found = numbers(client)
    assert found['blockyou_requests_total{method="GET",status="200",view="rules"}'] >= 2
    assert found['blockyou_requests_total{method="GET",status="404",view="game"}'] >= 1
    assert found['blockyou_requests_total{method="GET",status="404",view="none"}'] >= 1
    assert found['blockyou_request_seconds_count{view="rules"}'] >= 2
    assert not [name for name in found if "aaaaaaaaaa" in name or "secret" in name]


def test_counting_asks_no_database(client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get("/manifest.webmanifest")
    assert len(queries) == 0


def test_jobs_bots_and_the_sweep_are_read_from_what_is_stored(client: Client, alice: User) -> None:
    now = timezone.now()
    hold_lease("a process", now - timedelta(seconds=10))
    enqueue(notify_of_turn, 1, 1)
    open_table(alice, bot(), ME, now=now - timedelta(minutes=5))
    found = numbers(client)
    assert found['blockyou_jobs_waiting{queue="default"}'] == 1
    assert 0 <= found["blockyou_jobs_oldest_seconds"] < 60
    assert 300 <= found["blockyou_bot_turn_oldest_seconds"] < 360
    assert 10 <= found["blockyou_sweep_lease_seconds"] < 60
    assert found["blockyou_bot_fallbacks_recent"] == 0


@pytest.mark.parametrize(
    "extra", [{"REMOTE_ADDR": "203.0.113.9"}, {"HTTP_X_FORWARDED_FOR": "203.0.113.9"}, {"REMOTE_ADDR": ""}]
)
def test_without_a_token_only_this_machine_may_ask(client: Client, extra: dict[str, Any]) -> None:
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", **extra).status_code == 404


@pytest.mark.parametrize(("given", "status"), [("", 404), ("Bearer wrong", 404), ("Bearer a-long-token", 200)])
def test_with_a_token_everyone_needs_it(client: Client, settings: Any, given: str, status: int) -> None:
    settings.METRICS_TOKEN = "a-long-token"
    assert client.get("/metrics", headers={"authorization": given, "host": "10.1.2.3"}).status_code == status


async def test_open_sockets_are_counted() -> None:
    seen = []

    async def application(*_arguments: Any) -> None:
        seen.append(metrics.SOCKETS._value.get())

    before = metrics.SOCKETS._value.get()
    await metrics.counting_sockets(application)({}, None, None)
    assert (seen, metrics.SOCKETS._value.get()) == ([before + 1], before)


ASK = """
import django; django.setup()
from django.test import Client
from blockyou import metrics
metrics.SOCKETS.inc()
metrics.REQUESTS.labels("rules", "GET", 200).inc()
metrics.forget_dead_processes()
print(Client().get("/metrics", headers={"host": "x"}).content.decode())
"""


@pytest.mark.proof
def test_processes_of_one_port_answer_for_each_other(tmp_path: Path) -> None:
    """Two processes, one after the other: what the first has counted stays, its open sockets do not."""
    own = {"DJANGO_SETTINGS_MODULE": "blockyou.settings.test", "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    own |= {"DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}"}
    migrate = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(migrate, cwd=ROOT, env=os.environ | own, check=True)
    for count in (1.0, 2.0):
        answer = subprocess.run(
            [sys.executable, "-c", ASK], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True
        ).stdout
        assert re.findall(r'^blockyou_requests_total\{.*"rules"\} (\S+)', answer, re.MULTILINE) == [str(count)]
        assert re.findall(r"^blockyou_sockets (\S+)", answer, re.MULTILINE) == ["1.0"]
