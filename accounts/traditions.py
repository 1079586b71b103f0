"""By which names a person knows the colours of play, for as long as a request or an e-mail is being answered.

There are two traditions. What is stored, sent and addressed keeps the codes blue, yellow, red and green; only what a
person reads follows the tradition, and the fills follow the words (`data-colours` on the page). The present one is a
context variable, as Django's language is: whatever is being said need not hand it on. A text that is remembered and
holds the name of a colour is remembered under `current()`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Tradition(models.TextChoices):
    """What the colours coded blue, yellow, red and green are called."""

    BLUE_YELLOW = "blue-yellow", _("Blue, yellow, red, green")
    CYAN_VIOLET = "cyan-violet", _("Cyan, violet, red, green")


#: What who has not chosen reads.
USUAL = Tradition.BLUE_YELLOW

_current: ContextVar[str] = ContextVar("tradition", default=USUAL.value)


def current() -> str:
    """Return the tradition that is being spoken in."""
    return _current.get()


def activate(tradition: str) -> None:
    """Speak in a tradition from now on; in the usual one if there is no such tradition."""
    _current.set(tradition if tradition in Tradition.values else USUAL.value)


@contextmanager
def using(tradition: str) -> Iterator[None]:
    """Speak in a tradition for a while, then in the former one again."""
    before = current()
    activate(tradition)
    try:
        yield
    finally:
        activate(before)
