"""Counters in the cache that stop who asks too often. allauth counts for its own pages, the rest here."""

import ipaddress
import time
from contextlib import suppress
from dataclasses import dataclass

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase

#: Where a request keeps how long its sender has to wait.
_WAIT = "accounts.wait"


@dataclass
class LimitReached(Exception):  # noqa: N818  (a name of the contract between the rooms)
    """Too many in this period; `retry_after` is in whole seconds, at least 1. `accounts.middleware` answers 429."""

    retry_after: int


def count_use(key: str, limit: int, period: int) -> None:
    """Count one use of `key`; at most `limit` in each period, which is in seconds.

    Periods start at multiples of their length, so that twice the limit can fall around such an instant. The counters
    live in the cache: one process's memory, or Redis for many.

    Raises: LimitReached.
    """
    now = time.time()
    window = int(now // period)
    name = f"limit:{key}:{period}:{window}"
    cache.add(name, 0, timeout=period + 1)
    if _increment(name) > limit:
        raise LimitReached(retry_after=max(1, int((window + 1) * period - now) + 1))


def take_back(key: str, period: int) -> None:
    """Uncount one use of `key` that has just been counted with such a period; none is left of an older period."""
    with suppress(ValueError):
        cache.decr(f"limit:{key}:{period}:{int(time.time() // period)}")


def note_wait(request: HttpRequest, seconds: int) -> None:
    """Note that the request came too often, so that the page with its form is answered as a refusal."""
    request.META[_WAIT] = seconds


def refuse_page(request: HttpRequest, response: HttpResponseBase) -> None:
    """Answer 429 with the page of a request that has to wait."""
    if response.status_code == 200 and (seconds := request.META.get(_WAIT)):
        response.status_code = 429
        response["Retry-After"] = str(seconds)


def _increment(name: str) -> int:
    try:
        return cache.incr(name)
    except ValueError:
        # The cache let go of the counter between the two calls.
        cache.set(name, 1, timeout=60)
        return 1


def requester(request: HttpRequest) -> str:
    """Return the key by which a request is counted: the person, so that a class behind one address is many; else where
    it comes from, as `client` does.
    """
    return f"person-{request.user.pk}" if request.user.is_authenticated else client(request)


def client(request: HttpRequest) -> str:
    """Return the key by which an anonymous request is counted: the address, or its /64 network for IPv6.

    Believes X-Forwarded-For only as far as TRUSTED_PROXY_COUNT says.
    """
    address = ipaddress.ip_address(get_adapter(request).get_client_ip(request))
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False).network_address)
