"""C5 outside pages: whatever people are called or say, letters, notices, feeds and answers to programs keep their form.

The same sixty texts are read on every page by a browser that no policy protects: `tests/browser/test_scripts.py`.
"""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from random import Random

import pytest
import vobject
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db.models import prefetch_related_objects
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Mail, User
from games.actions.moderation.answer_appeal import answer_appeal
from games.actions.moderation.appeal_decision import appeal_decision
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_player import report_player
from games.actions.moves.resign import resign
from games.actions.notices.renew_feed import renew_feed
from games.actions.studies.create_study import create_study
from games.clock import TimeControl
from games.events import AppealRefused, DecisionsMade
from games.models import (
    Appeal,
    Decision,
    Game,
    Group,
    Membership,
    Notification,
    Occasion,
    Study,
    StudyComment,
    TalkMessage,
)
from games.notifications.channels.email import EmailChannel
from games.notifications.channels.push import payload
from games.notifications.decisions import write_of_decisions, write_of_refused_appeal
from games.notifications.messages import Message, as_read_by, message_of
from games.table.records import game_record
from tests.browser.marked_up import SCRIPTS
from tests.games.api.conftest import Program, program
from tests.games.tables import advance, running
from tests.games.views.lists.test_feeds import ATOM

__all__ = ["program"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BENIGN = "Walter"
#: On one line, as names are.
NAMES = [" ".join(script.split()) for script in SCRIPTS]
LANGUAGES = pytest.mark.parametrize("language", ["en", "fr"])


class Form(HTMLParser):
    """The form of a page: its elements and their attributes, in order, and what stands between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, ...]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, *(name for name, _value in attrs)))
        self.text += " " + " ".join(value or "" for _name, value in attrs) + " "

    def handle_endtag(self, tag: str) -> None:
        self.elements.append((f"/{tag}",))

    def handle_data(self, data: str) -> None:
        self.text += data


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def reader(alice: User, settings: Settings) -> User:
    """Return alice, whom letters reach."""
    settings.EMAIL_IS_SET = True
    alice.email = "alice@example.org"
    alice.save()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    return alice


def speaking(user: User, language: str) -> User:
    user.language = language
    user.save()
    return user


@pytest.fixture
def told(reader: User, bob: User) -> list[Notification]:
    """Return a notification of each occasion, about a game that both play and that bob has done."""
    game = advance(running(reader, bob, time=TimeControl.days_a_move(3)), Random(1))
    for occasion in Occasion:
        Notification.objects.record(occasion, game, [reader.pk], timezone.now(), event=2, other=bob.pk)
    found = list(Notification.objects.select_related("user", "other", "game").order_by("pk"))
    assert {each.occasion for each in found} == {*Occasion}
    prefetch_related_objects(found, "game__players__user", "game__players__invitee")
    return found


def called(notification: Notification, name: str, *, by_table: bool) -> Message:
    """Return the message where the other is called so, and the table too or after its people. Nothing is stored."""
    assert notification.other is not None
    notification.game.name = name if by_table else ""
    for person in (notification.other, *(each.user for each in notification.game.players.all())):
        if person is not None and person.pk != notification.user_id:
            person.username = name
    # What is drawn has no names.
    return replace(message_of(notification), draw=lambda: b"")


def letter(message: Message, user: User, mailoutbox: list[EmailMessage]) -> tuple[str, str]:
    """Return the page and the text of a letter."""
    mailoutbox.clear()
    EmailChannel().send(user, message, lambda: None)
    [mail] = mailoutbox
    assert isinstance(mail, EmailMultiAlternatives)
    return str(mail.alternatives[0][0]), str(mail.body)


@LANGUAGES
def test_letters_and_notices_on_devices_keep_their_form(
    reader: User, told: list[Notification], mailoutbox: list[EmailMessage], language: str
) -> None:
    user, changed, missing = speaking(reader, language), [], []
    with as_read_by(user):
        for number, name in enumerate(NAMES):
            # Each text in letters of three occasions, all occasions in turn.
            for step in range(3):
                each, by_table = told[(3 * number + step) % len(told)], bool(step % 2)
                plain = Form(letter(called(each, BENIGN, by_table=by_table), user, mailoutbox)[0])
                message = called(each, name, by_table=by_table)
                page, text = letter(message, user, mailoutbox)
                form = Form(page)
                if form.elements != plain.elements:
                    changed.append((each.occasion, name))
                if (BENIGN in plain.text) != (name in flat(form.text)) or (
                    BENIGN in plain.text and name not in flat(text)
                ):
                    missing.append((each.occasion, name))
                # A device gets JSON and shows it as text.
                said = json.loads(payload(message, user, device_id=1))
                assert said["title"] == message.subject
                assert (said["language"], said["path"]) == (language, message.path)
    assert (changed, missing) == ([], [])


def check_letters(write: Callable[[str], None]) -> None:
    """Check that a letter which `write` writes about these words has the same form whatever they are, and says them."""

    def written(words: str) -> Mail:
        Mail.objects.all().delete()
        write(words)
        return Mail.objects.get(kind="decision")

    plain, changed = Form(written(BENIGN).page), []
    assert BENIGN in plain.text
    for name in NAMES:
        mail = written(name)
        form = Form(mail.page)
        if form.elements != plain.elements or name not in flat(form.text) or name not in flat(mail.body):
            changed.append(name)
    assert changed == []


@LANGUAGES
def test_letters_about_answers_to_appeals_keep_their_form(reader: User, bob: User, carol: User, language: str) -> None:
    User.objects.filter(pk=carol.pk).update(is_moderator=True)
    carol.refresh_from_db()
    report = report_player(bob, "alice", reason="insult")
    [made] = decide_case(carol, reader.pk, measure="warn", reason="insult", last=report.pk)
    appeal = appeal_decision(speaking(reader, language), made.pk, words="x")
    answer_appeal(carol, appeal.pk, is_granted=False, words="x")

    def write(words: str) -> None:
        Appeal.objects.filter(pk=appeal.pk).update(answer=words, words=words)
        write_of_refused_appeal(AppealRefused(appeal_id=appeal.pk))

    check_letters(write)


@LANGUAGES
def test_letters_about_decisions_keep_their_form(reader: User, bob: User, carol: User, language: str) -> None:
    User.objects.filter(pk=carol.pk).update(is_moderator=True)
    carol.refresh_from_db()
    report = report_player(bob, "alice", reason="insult")
    [made] = decide_case(carol, reader.pk, measure="warn", reason="insult", words="x", last=report.pk)
    speaking(reader, language)

    def write(words: str) -> None:
        Decision.objects.filter(pk=made.pk).update(words=words, shown=words)
        write_of_decisions(DecisionsMade(decisions=(made.pk,)))

    check_letters(write)


@LANGUAGES
def test_feeds_keep_their_form(reader: User, bob: User, language: str) -> None:
    game = running(reader, bob, time=TimeControl.days_a_move(3), name=BENIGN)
    secret = renew_feed(speaking(reader, language), language=language, now=timezone.now())
    addresses = [reverse(name, args=[secret]) for name in ("atom", "calendar")]
    browser, plain = Client(), None
    for name in (BENIGN, *(name[:40].rstrip() for name in NAMES)):
        Game.objects.filter(pk=game.pk).update(name=name)
        atom, calendar = (browser.get(address) for address in addresses)
        assert atom["Content-Type"].startswith("application/atom+xml")
        assert calendar["Content-Type"].startswith("text/calendar")
        root = ET.fromstring(atom.content)
        form = [(element.tag, *sorted(element.attrib)) for element in root.iter()]
        plain = plain or form
        assert form == plain, name
        titles = [item.findtext(f"{ATOM}title") or "" for item in root.iter(f"{ATOM}entry")]
        assert any(name in title for title in titles), (name, titles)
        [entry] = vobject.readOne(calendar.content.decode()).vevent_list
        assert name in entry.summary.value, (name, entry.summary.value)


@LANGUAGES
def test_programs_are_answered_in_json_word_for_word(
    reader: User, bob: User, program: Callable[..., Program], language: str
) -> None:
    mine = program(reader, **{"Accept-Language": language})
    game = advance(running(reader, bob, is_public=True), Random(1))
    study, now = create_study(reader, game_record(reader, game.slug)), timezone.now()
    rows = [(text, audience) for text in SCRIPTS for audience in ("players", "watchers")]
    TalkMessage.objects.bulk_create(
        TalkMessage(game=game, author=bob, audience=audience, text=text, created_at=now) for text, audience in rows
    )
    StudyComment.objects.bulk_create(
        StudyComment(study=study, author=reader, move=0, text=text, written_at=now) for text in SCRIPTS
    )
    Study.objects.filter(pk=study.pk).update(edition=2)
    resign(bob, game.slug)

    def asked(path: str) -> object:
        answer = mine.get(path)
        assert answer.status_code == 200, path
        assert answer["Content-Type"].startswith("application/json")
        assert answer["X-Content-Type-Options"] == "nosniff"
        return answer.json()

    for audience in ("players", "watchers"):
        said: list[str] = []
        before = ""
        while True:
            page = asked(f"games/{game.slug}/messages?audience={audience}{before}")
            assert isinstance(page, dict)
            said = [*(line["text"] for line in page["messages"]), *said]
            if not page["has_older"]:
                break
            before = f"&before={min(line['id'] for line in page['messages'])}"
        assert said == SCRIPTS, audience
    comments = asked(f"studies/{study.slug}/comments")
    assert isinstance(comments, list)
    assert [each["text"] for each in comments] == SCRIPTS
    groups = [Group.objects.create(owner=bob, name=text[:40], made_at=now) for text in SCRIPTS]
    Membership.objects.bulk_create(Membership(group=each, person=reader, joined_at=now) for each in groups)
    found = asked("groups")
    assert isinstance(found, list)
    assert {each["name"] for each in found} == {text[:40] for text in SCRIPTS}
