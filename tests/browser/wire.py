"""A wire between one browser and the site that can be cut.

What a browser offers to play being offline does not reach a service worker that has just started: its requests would
still arrive. Through a wire that is cut nothing does, whoever sends it.
"""

import contextlib
import select
import socket
import threading


class Wire:
    """A port of its own that leads to the site's, in both directions, until it is cut or falls silent."""

    def __init__(self, port: int) -> None:
        self.target = ("127.0.0.1", port)
        self.is_cut, self.is_silent = False, False
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.listener.setblocking(False)
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """Return the site's address at this end, without a slash at the end."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def cut(self) -> None:
        """End every connection, and each new one as soon as it comes."""
        with self.lock:
            self.is_cut = True
            ends, self.open = self.open, set()
        for end in ends:
            _end(end)

    def silence(self) -> None:
        """Carry nothing any more, and end nothing: what is said is taken, new connections too, and has no answer."""
        self.is_silent = True

    def mend(self) -> None:
        """Let connections through again, but none that was begun before: it may wait unseen on a busy machine."""
        with self.lock:
            while begun := self._next():
                begun.close()
            # What was said while nothing was carried is lost.
            ends = self.open if self.is_silent else set()
            self.is_cut, self.is_silent = False, False
        for end in [*ends]:
            _end(end)

    def remove(self) -> None:
        """Cut it for good."""
        self.cut()
        # Closing alone would not wake the thread that waits in it.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _next(self) -> socket.socket | None:
        """Return a connection that waits to be accepted, None if there is none."""
        try:
            return self.listener.accept()[0]
        except BlockingIOError:
            return None

    def _accept(self) -> None:
        while True:
            try:
                select.select([self.listener], [], [])
                with self.lock:
                    here, is_cut = self._next(), self.is_cut
            except (OSError, ValueError):
                return
            if here and is_cut:
                here.close()
            elif here:
                here.setblocking(True)
                threading.Thread(target=self._carry, args=(here,), daemon=True).start()

    def _carry(self, here: socket.socket) -> None:
        """Carry what comes from the browser to the site, and let a second thread carry the answers."""
        try:
            there = socket.create_connection(self.target)
        except OSError:
            here.close()
            return
        with self.lock:
            is_cut = self.is_cut
            if not is_cut:
                self.open |= {here, there}
        if not is_cut:
            answers = threading.Thread(target=self._copy, args=(there, here), daemon=True)
            answers.start()
            self._copy(here, there)
            answers.join()
        with self.lock:
            self.open -= {here, there}
        here.close()
        there.close()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        """Copy until one end is closed, then close the other for what comes from here."""
        with contextlib.suppress(OSError):
            while part := source.recv(65536):
                if not self.is_silent:
                    target.sendall(part)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
