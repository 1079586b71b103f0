"""Posting to an address that a stranger named: a browser's push service, a channel, a program. It may lead anywhere.

So only public addresses are asked: the name is resolved here, and the connection goes to the very address that was
looked at. Nothing is followed elsewhere, and of an answer no more is read than its head. All of it together ends after
some seconds, and an address that goes on taking longer is left alone for an hour: others wait for their turn.
"""

import contextlib
import email.utils
import ipaddress
import socket
import ssl
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import connection

from games.notifications.lateness import lateness_of

#: Seconds that a post may take in all, from looking the name up to the end of the answer's head.
LONGEST_POST = 5.0

#: The pause after the first try that failed; each further one is twice as long, up to the longest.
RETRY_PAUSES = timedelta(minutes=1), timedelta(hours=1)

#: After so long without success an address is sent nothing any more.
GIVEN_UP_AFTER = timedelta(days=1)

#: At most this many addresses of a host are tried.
TRIED = 3

#: A service may ask to be left alone for a while, of which so much is believed.
LONGEST_REST = timedelta(days=1)


class NotPublicError(Exception):
    """The address leads to a machine that is not on the open internet."""


@dataclass(frozen=True)
class ServiceAnswer:
    """What was answered: the HTTP status, 0 if none came in time, and for how long the address is to be left alone."""

    status: int
    rest: timedelta = timedelta()

    @property
    def is_taken(self) -> bool:
        """Return whether the message was accepted."""
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Return whether nothing is to be sent to this address any more."""
        return self.status in (404, 410)


def hand_over(endpoint: str, body: bytes, headers: dict[str, str], *, now: datetime) -> ServiceAnswer:
    """Post the body to an address and return what it answered, if it has within `LONGEST_POST` seconds.

    An answer that did not come to the end of its head in that time is none. One query; where the address or its host
    was late before, or is, up to five more.

    Raises:
        NotPublicError: the address leads where this site sends nothing.

    """
    lateness = lateness_of(endpoint, now)
    if lateness.rest:
        return ServiceAnswer(0, lateness.rest)
    # Many wait for answers at once (`games.jobs.courier`), and there are few connections to the database.
    if not connection.in_atomic_block:
        connection.close()
    answer, is_late = _post(endpoint, body, headers, now)
    rest = lateness.note(now, is_late=is_late)
    return ServiceAnswer(0, rest) if is_late else answer


def post_json(address: str, body: bytes, headers: dict[str, str], *, now: datetime, unreachable: int) -> ServiceAnswer:
    """Post JSON as this site, as `hand_over` does; the status is `unreachable` where the address is not one to ask."""
    own = {"Content-Type": "application/json", "User-Agent": f"Block-You ({settings.PUBLIC_URL})"}
    try:
        return hand_over(address, body, own | headers, now=now)
    except (NotPublicError, ValueError):
        return ServiceAnswer(unreachable)


def is_given_up(failing_since: datetime, now: datetime) -> bool:
    """Return whether an address has failed for so long that it is sent nothing any more."""
    return now - failing_since >= GIVEN_UP_AFTER


def _post(endpoint: str, body: bytes, headers: dict[str, str], now: datetime) -> tuple[ServiceAnswer, bool]:
    """Return the answer, and whether the time was up before it came."""
    ends = time.monotonic() + LONGEST_POST
    parts = urlsplit(endpoint)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    connection = _connection(parts, ends)
    # A machine that sends a byte now and then would never be late otherwise.
    deadline = threading.Timer(max(0.0, ends - time.monotonic()), _cut, [connection])
    deadline.daemon = True
    try:
        deadline.start()
        connection.request("POST", path or "/", body, headers)
        response = connection.getresponse()
        answer = ServiceAnswer(response.status, _rest(response.getheader("Retry-After", ""), now))
    except (OSError, HTTPException):
        answer = ServiceAnswer(0)
    finally:
        deadline.cancel()
        connection.close()
    is_late = time.monotonic() >= ends
    return (ServiceAnswer(0) if is_late else answer), is_late


def _cut(connection: HTTPConnection) -> None:
    """End a connection that another thread waits for: it sees the other side hang up."""
    if isinstance(connection.sock, socket.socket):
        with contextlib.suppress(OSError):
            # Not the method of a socket with TLS, which forgets what the other thread is using.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


def public_addresses(host: str, port: int, ends: float | None = None) -> list[str]:
    """Return the addresses of a host, in the order in which they are to be tried; known before it `ends`, or not.

    Raises:
        NotPublicError: at least one of them is private, of this machine, or otherwise not for everybody.
        OSError: the name is not known, or was not found in time.

    """
    found = _looked_up(host, port, time.monotonic() + LONGEST_POST if ends is None else ends)
    addresses = [str(address[0]) for *_kind, address in found]
    for address in addresses:
        if not _is_allowed(address):
            raise NotPublicError(f"{host} leads to an address that is not public.")
    return addresses


def _is_allowed(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    if settings.PUSH_TO_LOOPBACK and address.is_loopback:
        return True
    return all(
        each.is_global and not each.is_multicast and not any(each in network for network in CLOSED)
        for each in (address, *_embedded(address))
    )


#: Networks that are not the internet, whatever Python's tables say: sites' own (RFC 3879), IPv4 in IPv6 as hosts and
#: translators write it (RFC 4291, RFC 2765), segments of routers (RFC 9602), protocols' own, and what clouds answer
#: their machines at (169.254.169.254 and fd00:ec2::254, 100.100.100.200, 168.63.129.16, 192.0.0.192).
CLOSED = tuple(
    map(
        ipaddress.ip_network,
        (
            "fec0::/10",
            "::ffff:0:0/96",
            "::ffff:0:0:0/96",
            "5f00::/16",
            "192.0.0.0/24",
            "169.254.0.0/16",
            "100.64.0.0/10",
            "168.63.129.16/32",
            "fd00::/8",
        ),
    )
)

#: Networks of IPv6 that pass what they carry on to IPv4 (RFC 6052, RFC 8215).
TRANSLATED = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))


def _embedded(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """Return the addresses of IPv4 to which one of IPv6 leads."""
    if isinstance(address, ipaddress.IPv4Address):
        return []
    inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in TRANSLATED):
        inside.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [each for each in inside if each is not None]


def _looked_up(host: str, port: int, ends: float) -> list[Any]:
    """Return what the system knows of a name; its own patience with a name server cannot be told.

    Raises: OSError.
    """
    found: Future[list[Any]] = Future()

    def look() -> None:
        try:
            found.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            found.set_exception(error)

    threading.Thread(target=look, daemon=True, name="look a name up").start()
    return found.result(_left(ends))


def _left(ends: float) -> float:
    """Return the seconds that the next step may take.

    Raises: TimeoutError.
    """
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _connection(parts: SplitResult, ends: float) -> HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "https":
        connection = _CheckedConnection(host, parts.port or 443, timeout=LONGEST_POST, context=_tls())
        connection.ends = ends
        return connection
    if not settings.PUSH_TO_LOOPBACK:
        raise NotPublicError("Only addresses that begin with https are asked.")
    public_addresses(host, parts.port or 80, ends)
    return HTTPConnection(host, parts.port or 80, timeout=LONGEST_POST)


class _CheckedConnection(HTTPSConnection):
    """A connection to the very address that was looked at, under the name that the certificate has to bear.

    It is made before the moment at which it `ends`, or not at all.
    """

    ends: float

    def connect(self) -> None:
        """Connect to the first public address that answers.

        Raises: NotPublicError, OSError.
        """
        failure: OSError = ConnectionError(f"{self.host} has no address.")
        for address in public_addresses(self.host, self.port, self.ends)[:TRIED]:
            try:
                plain = socket.create_connection((address, self.port), _left(self.ends))
            except OSError as error:
                failure = error
                continue
            with contextlib.ExitStack() as stack:
                stack.callback(plain.close)
                # Known before the handshake, which may be cut too.
                self.sock = _tls().wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
                stack.pop_all()
            self.sock.settimeout(_left(self.ends))
            self.sock.do_handshake()
            self.sock.settimeout(_left(self.ends))
            return
        raise failure


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _rest(text: str, now: datetime) -> timedelta:
    """Return what Retry-After says, in seconds or as a moment; nothing for nonsense."""
    if text.isascii() and text.isdecimal() and len(text) < 9:
        rest = timedelta(seconds=int(text))
    else:
        try:
            rest = email.utils.parsedate_to_datetime(text) - now
        except (TypeError, ValueError):
            return timedelta()
    return min(max(rest, timedelta()), LONGEST_REST)
