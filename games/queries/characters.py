"""The characters of bots in words. One engine plays in all of these manners, at every level that has them.

A bot with a character is stored as "<character>-<level>", such as "mason-5".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

_NAME = re.compile(r"([a-z]+)-([0-9]{1,2})", re.ASCII)


@dataclass(frozen=True)
class Character:
    """A manner of playing: what the bot is called, and its kind in a word or two."""

    title: str | Promise
    style: str | Promise


#: By the first part of the stored name, in the order in which they are offered.
CHARACTERS: Mapping[str, Character] = {
    "sage": Character(_("Sage"), _("all-rounder")),
    "mason": Character(_("Mason"), _("builder")),
    "warden": Character(_("Warden"), _("blocker")),
    "hermit": Character(_("Hermit"), _("loner")),
}


def known(name: str) -> tuple[str, int] | None:
    """Return the character and the level that a stored name tells, also where no such bot can be seated any more."""
    found = _NAME.fullmatch(name)
    return (found[1], int(found[2])) if found and found[1] in CHARACTERS else None


def called(character: str, level: int) -> str:
    """Return what the bot of a character and a level is called."""
    return gettext("%(name)s, level %(level)d") % {"name": CHARACTERS[character].title, "level": level}
