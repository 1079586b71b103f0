"""Parts of pages that are the same for a whole crowd, drawn once for all who ask for them within a short while.

Two hundred people who watch a game without a login ask for its changing part within a second after each move. The first
has it drawn, the others wait for that or take what is there. Whether somebody may see it is not decided here, and what
is for one person never comes here: it is drawn for a request that nobody has sent.
"""

import gzip
import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers

#: Seconds for which a part is handed out: as long as a crowd takes to ask for it. What it says of time is no older.
SHARED_SECONDS = 3.0
#: Most parts that are kept at once, some 50 KiB each, and seconds that one who has not begun it waits for one.
MOST_PARTS, PATIENCE = 64, 5.0

_TAKES_GZIP = re.compile(r"\bgzip\b")


class SharedPart(NamedTuple):
    """A part of a page: the tag by which a browser knows it, and its bytes, plain and packed."""

    tag: str
    plain: bytes
    packed: bytes

    def answer(self, request: HttpRequest) -> HttpResponse:
        """Return the answer to a request for the part: packed once for all, since there is no secret in it."""
        takes_gzip = _TAKES_GZIP.search(request.headers.get("Accept-Encoding", ""))
        response = HttpResponse(self.packed if takes_gzip else self.plain)
        if takes_gzip:
            response["Content-Encoding"] = "gzip"
        patch_vary_headers(response, ("Accept-Encoding",))
        return response


class _Entry:
    """Where a part will be once it is drawn, and when that began."""

    def __init__(self, began: float) -> None:
        self.began = began
        self.is_done = threading.Event()
        self.part: SharedPart | None = None


class PartCache:
    """The latest parts of this process by what makes them differ."""

    def __init__(self, most: int = MOST_PARTS, clock: Callable[[], float] = time.monotonic) -> None:
        self.most, self.clock = most, clock
        self._lock = threading.Lock()
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()

    def get(self, key: Hashable, draw: Callable[[], SharedPart | None]) -> SharedPart | None:
        """Return the part of that key; where there is none, have the first who asks draw it, and the others wait.

        None stands for one that cannot be shared: `draw` says so, has failed for another, or takes too long for them.

        Raises:
            Exception: what `draw` raises, to who had it draw.

        """
        entry, is_mine = self._entry(key)
        if not is_mine:
            entry.is_done.wait(PATIENCE)
            return entry.part
        try:
            entry.part = draw()
        finally:
            entry.is_done.set()
            if entry.part is None:
                self._forget(key, entry)
        return entry.part

    def __len__(self) -> int:
        """Return how many parts are kept."""
        return len(self._entries)

    def clear(self) -> None:
        """Forget all parts."""
        with self._lock:
            self._entries.clear()

    def _entry(self, key: Hashable) -> tuple[_Entry, bool]:
        """Return the entry of that key, and whether it is new: who asked for it is to fill it."""
        now = self.clock()
        with self._lock:
            found = self._entries.get(key)
            if found is not None and now - found.began <= SHARED_SECONDS:
                return found, False
            entry = self._entries[key] = _Entry(now)
            self._entries.move_to_end(key)
            while len(self._entries) > self.most:
                self._entries.popitem(last=False)
            return entry, True

    def _forget(self, key: Hashable, entry: _Entry) -> None:
        with self._lock:
            if self._entries.get(key) is entry:
                del self._entries[key]


class _RequestOfNobody(HttpRequest):
    """A request for the same page of the same site, by somebody of whom nothing is known."""

    def __init__(self, like: HttpRequest) -> None:
        super().__init__()
        self.method, self.path, self.path_info = "GET", like.path, like.path
        self.META["HTTP_HOST"], self._like_scheme = like.get_host(), str(like.scheme)
        self.user = AnonymousUser()

    def _get_scheme(self) -> str:
        return self._like_scheme


def site_of(request: HttpRequest) -> tuple[str, str]:
    """Return as what this site was asked: links to pages say so in full."""
    return str(request.scheme), request.get_host()


def draw_for_nobody(like: HttpRequest, template: str, tag: str, **values: object) -> SharedPart | None:
    """Return a template drawn for a visitor without any cookie; None where it holds what is made for one visitor.

    Of the request that it is like it takes the page's address and `site_of`.
    """
    request = _RequestOfNobody(like)
    content = render_to_string(template, values, request).encode()
    if request.META.get("CSRF_COOKIE_NEEDS_UPDATE"):
        return None
    return SharedPart(tag, content, gzip.compress(content, compresslevel=6, mtime=0))


#: Of this process.
parts = PartCache()
