"""A moderator's desk with something on it, a suspended person, a guardian and a child, for tests and pictures of their
pages.

All that is told here is of people of its own, so that nobody else's pages say anything of it.
"""

import time
from typing import Any

#: The pages of a moderator, by the name of their address; in braces what `moderate` returns.
DESK_VISITS = {
    "moderation": ["/moderation/"],
    "moderation-record": ["/moderation/record/"],
    "moderation-appeal": ["/moderation/appeals/{appeal}/"],
    "moderation-case": ["/moderation/cases/{case}/"],
}
#: What a suspended person is shown, whatever they ask for, and what else is open to them.
SUSPENDED_VISITS = {"suspended": ["/games/"], "decisions": ["/decisions/"]}
#: What a guardian is shown who has just given the password.
GUARDIAN_VISITS = {
    "children": ["/children/"],
    "child": ["/children/{child}/"],
    "child-hand-over": ["/children/{child}/hand-over/"],
    "child-delete": ["/children/{child}/delete/"],
}
#: What a child is shown otherwise than others are.
CHILD_VISITS = {
    "home": ["/"],
    "my-games": ["/games/"],
    "game": ["/games/{childs-game}/"],
    "notices": ["/notices/"],
    "account": ["/accounts/"],
    "preferences": ["/accounts/preferences/"],
    "own-data": ["/data/"],
    "decisions": ["/decisions/"],
    "lobby": ["/lobby/"],
}
#: So many seconds from now a password or a second factor is shown: it lasts until all pages are seen and pictured.
LATER = 24 * 3600


def moderate() -> dict[str, Any]:
    """Let people report one, and a moderator decide: an appeal and a case wait, a warning and a suspension stand.

    Return the keys of both, and the sessions of the moderator, who has shown a second factor, and of the suspended.
    """
    from accounts.models import User
    from games.actions.moderation.appeal_decision import appeal_decision
    from games.actions.moderation.decide_case import decide_case
    from games.actions.moderation.report_line import report_line
    from games.actions.moderation.report_player import report_player
    from games.actions.tables.create_game import create_game
    from games.actions.tables.join_game import join_game
    from games.actions.talk.send_message import send_message
    from games.base.setup import GameSetup, SeatSetup

    judge, rude, tess, uma = (User.objects.create_user(name) for name in ("Judith", "Rupert", "Tess", "Uma"))
    User.objects.filter(pk=judge.pk).update(is_moderator=True)
    seats = (SeatSetup(kind="me"), SeatSetup(kind="link"))
    table = create_game(tess, GameSetup(variant="duo", seats=seats, is_public=False))
    join_game(rude, table.slug, token=table.invite_token)
    said = [
        send_message(rude, table.slug, text=text)
        for text in ("You play like a toad.", "I know where you live.", "See you there on Sunday.")
    ]

    def report(line: int, reason: str) -> int:
        return report_line(tess, table.slug, said[line].pk, reason=reason, shown=said[line].text).pk

    last = report(0, "insult")
    words = "Nobody is called names at a table here."
    lines = [said[0].pk]
    decided = decide_case(judge, rude.pk, measure="warn", reason="insult", words=words, last=last, lines=lines)
    appeal = appeal_decision(rude, decided[-1].pk, words="It was a joke. She laughed, and then she won.")
    last = report(1, "violence")
    decide_case(judge, rude.pk, measure="suspend", days=30, reason="violence", words="This was a threat.", last=last)
    report(2, "violence")
    report_player(uma, rude.username, reason="spam", words="He asks for a game again and again, at every table.")
    return {"appeal": appeal.pk, "case": rude.pk, "desk": session_of(judge), "suspended": session_of(rude)}


def session_of(person: Any) -> str:
    """Return the secret of a new session of a person's, in which they have shown a second factor."""
    from django.test import Client

    from tests.accounts.factors import show_factor, with_codes

    with_codes(person)
    browser = Client()
    browser.force_login(person)
    show_factor(browser, person, time.time() + LATER)
    return browser.cookies["sessionid"].value


def session_with_password(person: Any) -> str:
    """Return the secret of a new session of a person's, in which they have given their password."""
    from django.test import Client

    browser = Client()
    browser.force_login(person)
    session = browser.session
    shown = {"method": "password", "at": time.time() + LATER, "reauthenticated": True}
    session["account_authentication_methods"] = [shown]
    session["account_authentication_methods_user"] = str(person.pk)
    session.save()
    return browser.cookies["sessionid"].value
