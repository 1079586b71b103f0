"""What Prometheus asks for: requests, sockets, and what the stored facts say of jobs, bots and the sweep.

Counting a request asks no database. Several web processes on one port share their numbers in files, in the folder that
PROMETHEUS_MULTIPROC_DIR names (`make run` sets it): whichever of them is asked answers for all.
"""

import ipaddress
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from secrets import compare_digest
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from games import jobs
from games.background import sweep
from games.bots.turns import FALLBACK
from games.queries.health import lease_until, recent_fallbacks
from games.queries.turns import oldest_bot_turn

REQUESTS = Counter("blockyou_requests", "Requests answered.", ["view", "method", "status"])
SECONDS = Histogram(
    "blockyou_request_seconds",
    "Seconds that a request took, once it was let in.",
    ["view"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
SOCKETS = Gauge("blockyou_sockets", "Sockets open.", multiprocess_mode="livesum")

METHODS = frozenset({"GET", "HEAD", "POST"})
#: Headers that a proxy adds: the request comes from elsewhere, whatever address the connection has.
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA")

_Application = Callable[..., Awaitable[None]]


class MetricsMiddleware:
    """Count every answer, errors and static files included, by the name of its address: never by the address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, and count it."""
        began = time.perf_counter()
        response = self.get_response(request)
        view = view_of(request)
        method = request.method if request.method in METHODS else "other"
        REQUESTS.labels(view, method, response.status_code).inc()
        SECONDS.labels(view).observe(time.perf_counter() - began)
        return response


def view_of(request: HttpRequest) -> str:
    """Return the name of what answered: a view's, "static" for files, "none" where nothing is at that address."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or "unnamed"
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "none"


def counting_sockets(application: _Application) -> _Application:
    """Return the ASGI application with its open sockets counted."""

    async def counted(*arguments: Any) -> None:
        with SOCKETS.track_inprogress():
            await application(*arguments)

    return counted


class Facts(Collector):
    """What the database and the queue of jobs say at every scrape: nine queries at most, none grows with the games."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield a number a fact; a fact of which there is nothing to say is left out."""
        now = timezone.now()
        waiting = GaugeMetricFamily("blockyou_jobs_waiting", "Jobs that could be done now.", labels=["queue"])
        try:
            counts, oldest = jobs.count_ready(), jobs.waiting_since()
        except jobs.UNREACHABLE:
            counts, oldest = {}, None
        for queue, count in counts.items():
            waiting.add_metric([queue], count)
        yield waiting
        until = lease_until(sweep.LEASE)
        ages = {
            "blockyou_jobs_oldest_seconds": ("How long the oldest of them has waited.", oldest),
            "blockyou_bot_turn_oldest_seconds": ("How long a bot has been due for longest.", oldest_bot_turn()),
            "blockyou_sweep_lease_seconds": ("Since the sweep's lease was renewed.", until and until - sweep.LEASE_FOR),
        }
        for name, (meaning, since) in ages.items():
            if since is not None:
                yield GaugeMetricFamily(name, meaning, max(0.0, (now - since).total_seconds()))
        lately = recent_fallbacks(now, FALLBACK)
        yield GaugeMetricFamily("blockyou_bot_moves_recent", "Bots' moves in 15 minutes, 100 at most.", lately.moves)
        fallbacks = "Of those, moves of the engine that stands in for a bot that failed."
        yield GaugeMetricFamily("blockyou_bot_fallbacks_recent", fallbacks, lately.fallbacks)
        release = GaugeMetricFamily("blockyou_release", "Which release this is; always 1.", labels=["version"])
        release.add_metric([settings.RELEASE], 1)
        yield release


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with every number as text if the request may ask for them, else with 404."""
    if not may_ask(request):
        raise Http404
    facts = CollectorRegistry()
    facts.register(Facts())
    counted = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        counted = CollectorRegistry()
        MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
    return HttpResponse(generate_latest(counted) + generate_latest(facts), content_type=CONTENT_TYPE_LATEST)


def may_ask(request: HttpRequest) -> bool:
    """Return whether the request has METRICS_TOKEN; where none is set, whether it comes from this very machine."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").encode()
        return compare_digest(given, f"Bearer {settings.METRICS_TOKEN}".encode())
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


def forget_dead_processes() -> None:
    """Drop the numbers that say how things are in processes that have ended; what those have counted stays."""
    folder = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    for path in Path(folder).glob("gauge_live*_*.db") if folder else ():
        try:
            os.kill(int(path.stem.rpartition("_")[2]), 0)
        except ProcessLookupError:
            path.unlink(missing_ok=True)
        except PermissionError:
            continue
