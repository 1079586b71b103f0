"""The e-mails of a site, each as the page that is in it, with the longest words that people can put there.

Run as a program in the surroundings of a site with the demonstration's games it prints them as JSON, in both languages,
and leaves the site as it was.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from tests.browser.site import ROOT, Site

#: The longest names of a person and of a table, in letters that leave no place to break them.
NAME, TABLE = "W" * 20, "W" * 40
LONG_LINK = f"https://block-you.example.org/accounts/{'x' * 60}/"


def letters_of(site: Site) -> dict[str, str]:
    """Return the pages by what they are about and their language."""
    command = [sys.executable, "-m", "tests.browser.letters"]
    told = subprocess.check_output(command, cwd=ROOT, env=site.surroundings(), text=True, timeout=240)
    found: dict[str, str] = json.loads(told.splitlines()[-1])
    return found


def main() -> None:
    """Print the pages."""
    import django

    django.setup()
    from accounts.models import User
    from games.notifications.messages import as_read_by

    reader = User.objects.get(username="alice")
    pages: dict[str, str] = {}
    for language in ("en", "fr"):
        reader.language = language
        with as_read_by(reader):
            pages |= {f"{kind} {language}": page for kind, page in (*of_games(reader), *of_the_account(reader))}
    sys.stdout.write(json.dumps(pages))


def of_games(reader: Any) -> Iterator[tuple[str, str]]:
    """Yield the page about each occasion, and the summary of the day."""
    from django.db import transaction
    from django.utils import timezone

    from games.models import Game, Notification, Occasion
    from games.notifications.messages import Message, MessageRow, message_of

    game = Game.objects.get(name="Corner cases")
    with transaction.atomic():
        other = game.players.exclude(user=None).exclude(user=reader)[0].user_id
        for occasion in Occasion:
            Notification.objects.record(occasion, game, [reader.pk], timezone.now(), event=2, other=other)
        told = Notification.objects.filter(user=reader).select_related("other", "game").order_by("-pk")
        for each in told[: len(Occasion)]:
            each.user, each.game.name = reader, TABLE
            if each.other:
                each.other.username = NAME
            for player in each.game.players.all():
                if player.user and player.user != reader:
                    player.user.username = NAME
            yield each.occasion, page_of(reader, message_of(each))
        transaction.set_rollback(True)
    rows = [MessageRow(TABLE, f"{NAME} {number}", LONG_LINK) for number in range(3)]
    yield "summary", page_of(reader, Message("digest.1", "3", "3", link=LONG_LINK, rows=rows, label="My games"))


def page_of(reader: Any, message: Any) -> str:
    """Return the page in the e-mail with a message, and in it the picture that comes with it."""
    from django.core import mail
    from django.core.mail import EmailMultiAlternatives
    from django.test.utils import override_settings

    from games.notifications.channels.email import PICTURE, EmailChannel

    mail.outbox = []
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        EmailChannel().send(reader, message, lambda: None)
    [letter] = mail.outbox
    assert isinstance(letter, EmailMultiAlternatives)
    page = str(letter.alternatives[0][0])
    for picture in letter.attachments:
        content = base64.b64encode(picture.get_payload(decode=True)).decode()
        page = page.replace(f"cid:{PICTURE}", f"data:image/png;base64,{content}")
    return page


def of_the_account(reader: Any) -> Iterator[tuple[str, str]]:
    """Yield the page of each e-mail about an account, of one about a decision, and of two about webhooks."""
    from pathlib import Path

    from django.conf import settings
    from django.template.loader import render_to_string
    from django.utils import timezone

    from accounts.adapter import Adapter
    from accounts.mail.letters import letter_page

    links = ("activate_url", "reset_url", "restore_url", "archive_url")
    addresses = dict.fromkeys(("from_email", "to_email", "deleted_email"), f"{'w' * 64}@{'example' * 8}.org")
    context = {"user": reader, "timestamp": timezone.now(), **dict.fromkeys(links, LONG_LINK), **addresses}
    for text in sorted(Path(settings.BASE_DIR, "templates/account/email").glob("*_message.txt")):
        kind = text.name.removesuffix("_message.txt")
        if kind != "base":
            yield kind, Adapter().write_mail(f"account/email/{kind}", reader.email, context).page
    told = {"name": NAME, "subject": TABLE, "person": NAME, "player": NAME, "token": TABLE, "lines": [TABLE, "x" * 200]}
    told |= dict.fromkeys(("address", "link", "tokens", "decisions", "conduct"), LONG_LINK)
    for kind in ("moderation/letter", "webhooks/made", "webhooks/stopped"):
        yield kind, letter_page(TABLE, render_to_string(f"games/{kind}.txt", told), {LONG_LINK: "Read it here"})


if __name__ == "__main__":
    main()
