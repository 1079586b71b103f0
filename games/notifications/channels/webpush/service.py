"""Handing a message to a push service, at an address that a browser named and that may lead anywhere.

So only public addresses are asked: the name is resolved here, and the connection goes to the very address that was
looked at. Nothing is followed elsewhere, and of an answer no more is read than its head.
"""

import contextlib
import email.utils
import ipaddress
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

#: Seconds that one attempt may take to connect, and each part of the answer to come; and all of it together.
PATIENCE, LONGEST = 10.0, 30.0

#: At most this many addresses of a host are tried.
TRIED = 3

#: A service may ask to be left alone for a while, of which so much is believed.
LONGEST_REST = timedelta(days=1)


class NotPublicError(Exception):
    """The address leads to a machine that is not on the open internet."""


@dataclass(frozen=True)
class ServiceAnswer:
    """What a push service answered: its HTTP status, 0 if none came, and for how long it asks to be left alone."""

    status: int
    rest: timedelta = timedelta()

    @property
    def is_taken(self) -> bool:
        """Return whether the service passes the message on."""
        return 200 <= self.status < 300

    @property
    def is_gone(self) -> bool:
        """Return whether the browser is not to be sent anything at this address any more."""
        return self.status in (404, 410)


def hand_over(
    endpoint: str, body: bytes, headers: dict[str, str], *, now: datetime, longest: float = LONGEST
) -> ServiceAnswer:
    """Post the body to a push service and return what it answered, if it has within that many seconds.

    Looking the name up is not counted: that ends by itself.

    Raises:
        NotPublicError: the address leads where this site sends nothing.

    """
    parts = urlsplit(endpoint)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    connection = _connection(parts, longest)
    # A machine that sends a byte now and then would never be late otherwise.
    deadline = threading.Timer(longest, _cut, [connection])
    deadline.daemon = True
    try:
        deadline.start()
        connection.request("POST", path or "/", body, headers)
        response = connection.getresponse()
        return ServiceAnswer(response.status, _rest(response.getheader("Retry-After", ""), now))
    except (OSError, HTTPException):
        return ServiceAnswer(0)
    finally:
        deadline.cancel()
        connection.close()


def _cut(connection: HTTPConnection) -> None:
    """End a connection that another thread waits for: it sees the other side hang up."""
    if isinstance(connection.sock, socket.socket):
        with contextlib.suppress(OSError):
            # Not the method of a socket with TLS, which forgets what the other thread is using.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


def public_addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a host, in the order in which they are to be tried.

    Raises:
        NotPublicError: at least one of them is private, of this machine, or otherwise not for everybody.
        OSError: the name is not known.

    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
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


def _connection(parts: SplitResult, longest: float) -> HTTPConnection:
    host, patience = parts.hostname or "", min(PATIENCE, longest)
    if parts.scheme == "https":
        connection = _CheckedConnection(host, parts.port or 443, timeout=patience, context=_tls())
        connection.ends = time.monotonic() + longest
        return connection
    if not settings.PUSH_TO_LOOPBACK:
        raise NotPublicError("Push services speak TLS.")
    public_addresses(host, parts.port or 80)
    return HTTPConnection(host, parts.port or 80, timeout=patience)


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
        for address in public_addresses(self.host, self.port)[:TRIED]:
            try:
                plain = socket.create_connection((address, self.port), self._patience())
            except OSError as error:
                failure = error
                continue
            with contextlib.ExitStack() as stack:
                stack.callback(plain.close)
                # Known before the handshake, which may be cut too.
                self.sock = _tls().wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
                stack.pop_all()
            self.sock.settimeout(self._patience())
            self.sock.do_handshake()
            self.sock.settimeout(self._patience())
            return
        raise failure

    def _patience(self) -> float:
        """Return the seconds that the next step may take.

        Raises: TimeoutError.
        """
        left = min(PATIENCE, self.ends - time.monotonic())
        if left <= 0:
            raise TimeoutError
        return left


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
