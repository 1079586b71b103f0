"""Texts that a browser would run if they were not escaped, in every place where a person's words are shown to another.

Run as a program in a site's surroundings it writes them into the site's database, past every check of what may be
typed, and prints as JSON where they are seen.
"""

import json
import random
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from tests.browser.people import PASSWORD
from tests.browser.site import ROOT, Site

#: What calls a function `ran` of the page, or asks for an address that begins with `/ran`.
SCRIPTS = [
    "<script>ran()</script>",
    "<script >ran()</script >",
    "<ScRiPt>ran()</sCrIpT>",
    "<script\n>ran()</script>",
    "<script/x>ran()</script>",
    "<script src=/ran></script>",
    "<script type=module>ran()</script>",
    "<svg><script>ran()</script></svg>",
    "<img src=x onerror=ran()>",
    "<img/src='x'/onerror=ran()>",
    "<IMG SRC=x ONERROR=ran()>",
    "<img src=x onerror='ran()'>",
    '<img src=x onerror="ran()">',
    "<img src=x onerror=&#114;an()>",
    "<img src=x onerror=\nran()>",
    "<img src=x onerror=ran``>",
    "<img src='x'onerror=ran()//",
    "<image src=x onerror=ran()>",
    "<svg onload=ran()>",
    "<svg/onload=ran()>",
    "<svg\tonload=ran()>",
    "<svg\fonload=ran()>",
    "<body onload=ran()>",
    "<iframe onload=ran()>",
    "<iframe src=javascript:parent.ran()>",
    "<iframe srcdoc='<script>parent.ran()</script>'>",
    "<object data=/ran></object>",
    "<embed src=/ran>",
    "<link rel=stylesheet href=/ran>",
    "<style>@import '/ran';</style>",
    "<p style=background:url(/ran)>x</p>",
    "<video src=x onerror=ran()></video>",
    "<audio src=x onerror=ran()></audio>",
    "<video><source onerror=ran()></video>",
    "<input autofocus onfocus=ran()>",
    "<textarea autofocus onfocus=ran()>",
    "<details open ontoggle=ran()>",
    "<select autofocus onfocus=ran()>",
    "<a href=javascript:ran()>x</a>",
    "<a href='java\tscript:ran()'>x</a>",
    "<form action=javascript:ran()><input></form>",
    "<button formaction=javascript:ran()>x",
    "<p onmouseover=ran()>x</p>",
    "<p onclick=ran()>x</p>",
    "<math><mi href=javascript:ran()>x",
    "<p hx-get=/ran hx-trigger=load>x</p>",
    "<p data-hx-get=/ran data-hx-trigger=load>x",
    "<p hx-on:click=ran()>x</p>",
    '"><script>ran()</script>',
    "'><script>ran()</script>",
    '"><img src=x onerror=ran()>',
    '" autofocus onfocus=ran() x="',
    "' autofocus onfocus=ran() x='",
    '" onmouseover=ran() x="',
    '" style="background:url(/ran)" x="',
    "</title><script>ran()</script>",
    "</textarea><script>ran()</script>",
    "</template><script>ran()</script>",
    "';ran();//",
    "</script><script>ran()</script>",
]

#: None of these is taken for another.
LETTERS = "abcdefgh"
#: Which of the pages about one text is a note, and which a table.
NOTE, TABLE = 2, 3


@dataclass(frozen=True)
class MarkedUp:
    """Where the texts are seen by the person who plays with all who have written them, and of these pages those of
    tables, named by them, and of notes.
    """

    reader: str
    paths: list[str]
    tables: list[str]
    notes: list[str]
    letters: list[str]

    @classmethod
    def on(cls, site: Site) -> "MarkedUp":
        """Fill the site."""
        command = [sys.executable, "-m", "tests.browser.marked_up"]
        told = subprocess.check_output(command, cwd=ROOT, env=site.surroundings(), text=True, timeout=240)
        return cls(**json.loads(told.splitlines()[-1]))


def main() -> None:
    """Fill the database of the site that we are in, and say where what is seen."""
    import django

    django.setup()
    from accounts.models import User
    from games.models import Notification
    from games.table import seats

    seats.MAX_GAMES = 2 * len(SCRIPTS)
    reader = User.objects.create_user("reader", "reader@example.org", PASSWORD)
    games = [write(reader, number, script) for number, script in enumerate(SCRIPTS)]
    lists = ["/games/", "/lobby/", "/history/", "/notices/", "/studies/", "/games/new/", "/", "/offline/"]
    pages = [path for page in range(2, 8) for path in (f"/lobby/?page={page}", f"/history/?page={page}")]
    letters = [letter for each in Notification.objects.filter(user=reader) for letter in letters_about(each)]
    paths = [*(path for game in games for path in game), *lists, *pages]
    tables, notes = ([game[place] for game in games] for place in (TABLE, NOTE))
    told = {"reader": reader.username, "paths": paths, "tables": tables, "notes": notes, "letters": letters}
    sys.stdout.write(json.dumps(told))


def write(reader: Any, number: int, script: str) -> list[str]:
    """Let one more person play with the reader, all of whose words are that script; return where they are seen, at the
    places `NOTE` and `TABLE` the note and the table.
    """
    from django.db import transaction
    from django.urls import reverse
    from django.utils import timezone

    from accounts import names
    from accounts.models import User
    from games.actions.moves.resign import resign
    from games.actions.people.keep_note import keep_note
    from games.actions.studies.create_study import create_study
    from games.models import Game, Note, Notification, Occasion, Study
    from games.table.records import game_record
    from tests.games.tables import ME, OPEN, advance, open_table, running

    writer = User.objects.create_user(f"writer{number}", f"writer{number}@example.org")
    game = advance(running(writer, reader), random.Random(number))
    table = open_table(writer, ME, OPEN)
    study = create_study(writer, game_record(writer, game.slug))
    if number % 3 == 0:
        resign(writer, game.slug)
    else:
        with transaction.atomic():
            Notification.objects.record(Occasion.TURN, game, [reader.pk], timezone.now(), event=2)
    keep_note(reader, game.slug, "x", 0)
    # A name with a slash would have no page of its own, and two that differ in signs alone are one name.
    name = f"{LETTERS[number // len(LETTERS)]}{LETTERS[number % len(LETTERS)]}{script.replace('/', '|')}"
    User.objects.filter(pk=writer.pk).update(username=name, login_name=name, name_key=names.key(name))
    Game.objects.filter(pk__in=[game.pk, table.pk]).update(name=script)
    Note.objects.filter(game=game).update(text=script)
    told = json.loads(study.record)
    told |= dict.fromkeys(("title", "event", "round", "date", "result"), script)
    told["players"], told["comments"] = [script, script], {"0": script, "1": script}
    Study.objects.filter(pk=study.pk).update(title=script, record=json.dumps(told), is_shared=True)
    Study.objects.filter(pk=study.pk).update(owner=reader if number % 2 else writer)
    paths = [reverse(name, args=[game.slug]) for name in ("game", "replay", "game-note")]
    paths += [reverse("game", args=[table.slug]), reverse("study", args=[study.slug]), f"/studies/{study.slug}/?move=1"]
    paths += [reverse("study-board", args=[study.slug])] * (number % 2)
    # No name with a tab or a line's end is ever looked up.
    return [*paths, reverse("player", args=[name])] if name.isprintable() else paths


def letters_about(notification: Any) -> list[str]:
    """Return the pages that are in the e-mail about a notification."""
    from django.core import mail
    from django.core.mail import EmailMultiAlternatives
    from django.test.utils import override_settings

    from games.notifications.channels.email import EmailChannel
    from games.notifications.messages import as_read_by, message_of

    mail.outbox = []
    kept_here = override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
    with kept_here, as_read_by(notification.user):
        EmailChannel().send(notification.user, message_of(notification), lambda: None)
    letters = [letter for letter in mail.outbox if isinstance(letter, EmailMultiAlternatives)]
    return [str(alternative[0]) for letter in letters for alternative in letter.alternatives]


if __name__ == "__main__":
    main()
