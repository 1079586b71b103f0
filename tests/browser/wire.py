"""A wire between one browser and the site that can be cut.

What a browser offers to play being offline does not reach a service worker that has just started: its requests would
still arrive. Through a wire that is cut nothing does, whoever sends it.
"""

import contextlib
import socket
import threading


class Wire:
    """A port of its own that leads to the site's, in both directions, until it is cut."""

    def __init__(self, port: int) -> None:
        self.target = ("127.0.0.1", port)
        self.is_cut = False
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
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

    def mend(self) -> None:
        """Let connections through again."""
        self.is_cut = False

    def remove(self) -> None:
        """Cut it for good."""
        self.cut()
        # Closing alone would not wake the thread that waits in it.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
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
            answers = threading.Thread(target=_copy, args=(there, here), daemon=True)
            answers.start()
            _copy(here, there)
            answers.join()
        with self.lock:
            self.open -= {here, there}
        here.close()
        there.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Copy until one end is closed, then close the other for what comes from here."""
    with contextlib.suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def _end(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
