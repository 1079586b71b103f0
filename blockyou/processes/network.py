"""Where this machine can be reached: the listening socket and the addresses phones on the same network may use."""

import os
import socket
from contextlib import closing

BACKLOG = 2048
FIRST_HANDED_OVER = 3
# Nothing is sent: connecting a datagram socket only asks the system which of its addresses it would use.
SAMPLES = ("192.168.255.254", "10.255.255.254", "172.31.255.254", "192.0.2.1")


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket that child processes may inherit.

    Connections that arrive while a web process starts again wait in its queue instead of being refused.
    Raises: OSError.
    """
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def handed_over() -> socket.socket | None:
    """Return the listening socket that systemd holds for this process, None if there is no such socket.

    A `.socket` unit keeps it open while the service restarts: connections wait in its queue. Systemd says by
    LISTEN_PID for which process it is, and passes it as the first descriptor after standard error.
    """
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or count != "1":
        return None
    listener = socket.socket(fileno=FIRST_HANDED_OVER)
    listener.set_inheritable(True)
    return listener


def lan_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine on its networks, the likeliest first; empty without a network."""
    found = [_address_towards(sample) for sample in SAMPLES]
    return list(dict.fromkeys(address for address in found if address and not address.startswith("127.")))


def host_names() -> list[str]:
    """Return the machine's own name and the name it has for phones nearby (mDNS)."""
    name = socket.gethostname().split(".")[0].lower()
    return [name, f"{name}.local"]


def _address_towards(target: str) -> str:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
