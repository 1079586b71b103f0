"""The cable between the hosts: passes frames on, each so many milliseconds later: `… wire MILLISECONDS TAP …`.

The kernel's own delay (`tc … netem`) is missing on many machines; a TAP device is not. It says "ready" once they exist.
"""

import fcntl
import os
import select
import struct
import sys
import time
from collections import deque
from contextlib import suppress

TUNSETIFF = 0x400454CA
IFF_TAP_WITHOUT_HEADER = 0x0002 | 0x1000
LARGEST_FRAME = 65_536


def new_tap(name: str) -> int:
    """Return the descriptor of a new TAP device, which exists for as long as that is open."""
    tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP_WITHOUT_HEADER))
    return tap


def carry(taps: list[int], delay: float) -> None:
    """Pass frames on between TAP devices for ever, each after `delay` seconds, in the order in which they came."""
    poll = select.epoll()
    for tap in taps:
        poll.register(tap, select.EPOLLIN)
    homes: dict[bytes, int] = {}
    waiting: deque[tuple[float, int, bytes]] = deque()
    while True:
        rest = max(0.0, waiting[0][0] - time.monotonic()) if waiting else None
        for tap, _event in poll.poll(rest):
            # A device that is switched off has nothing to say and takes nothing.
            with suppress(OSError):
                while frame := os.read(tap, LARGEST_FRAME):
                    homes[frame[6:12]] = tap
                    known = homes.get(frame[:6])
                    others = [other for other in taps if other != tap] if known is None else [known]
                    waiting += [(time.monotonic() + delay, other, frame) for other in others]
        while waiting and waiting[0][0] <= time.monotonic():
            with suppress(OSError):
                os.write(waiting[0][1], waiting[0][2])
            waiting.popleft()


if __name__ == "__main__":
    opened = [new_tap(name) for name in sys.argv[2:]]
    print("ready", flush=True)  # noqa: T201
    carry(opened, float(sys.argv[1]) / 1000)
