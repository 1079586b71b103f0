"""A file that is handed on in parts of one size while it is written, so that no more than one of them is in memory."""

from collections.abc import Callable

#: The bytes of a part: a row of the database, and what one web process holds of a file that it sends.
PART_SIZE = 256 * 1024


class PartWriter:
    """What a zip is written to: bytes go in, and full parts out, by their numbers from 0."""

    def __init__(self, keep: Callable[[int, bytes], None]) -> None:
        """Hand each part on to `keep`."""
        self._keep, self._waiting = keep, bytearray()
        self.number, self.size = 0, 0

    def write(self, content: bytes) -> int:
        """Take some bytes; return how many."""
        self._waiting += content
        self.size += len(content)
        while len(self._waiting) >= PART_SIZE:
            self._hand_on(PART_SIZE)
        return len(content)

    def flush(self) -> None:
        """Do nothing: what is no full part waits for the rest."""

    def close(self) -> None:
        """Hand on what is left."""
        if self._waiting:
            self._hand_on(len(self._waiting))

    def _hand_on(self, size: int) -> None:
        self._keep(self.number, bytes(self._waiting[:size]))
        del self._waiting[:size]
        self.number += 1
