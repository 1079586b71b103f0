"""Addresses outside the site that something is sent to, as a browser or a person named them."""

import ipaddress
from urllib.parse import urlsplit

from django.conf import settings

#: No address is longer.
LONGEST_ADDRESS = 1000
#: So many of the last characters of a secret address its owner is shown.
SHOWN_END = 4


class SecretAddress:
    """What a row shows of the `address` that its owner has set: the rest of it is a secret."""

    address: str
    owner_id: int

    @property
    def host(self) -> str:
        """Return where the address leads, which is no secret."""
        return urlsplit(self.address).hostname or ""

    def address_for(self, reader: int) -> str:
        """Return the part of the address that this person is shown: its host, and its end if they have set it."""
        return f"{self.host}/…{self.address[-SHOWN_END:] if reader == self.owner_id else ''}"


def is_endpoint(address: str) -> bool:
    """Return whether something may be sent there: https, at a host with a name, on the usual port.

    Where the name leads is looked at when something is sent.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not address.isprintable() or " " in address:
        return False
    if settings.PUSH_TO_LOOPBACK and host == "127.0.0.1":
        return True
    is_plain = parts.scheme == "https" and port in (None, 443) and parts.username is None
    return is_plain and "." in host.strip(".") and not _is_address(host)


def _is_address(host: str) -> bool:
    # Resolvers read "127.1" and "0x7f.1" as addresses too: the last part of a name is never a number.
    if host.rstrip(".").rpartition(".")[2][:1].isdigit():
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
