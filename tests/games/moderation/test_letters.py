"""What a moderator has decided is written to the person by e-mail too, with the reason and how to appeal."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from pytest_django import Settings

from accounts.models import Mail, User
from games.actions.moderation.answer_appeal import answer_appeal
from games.actions.moderation.appeal_decision import appeal_decision
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.lift_decision import lift_decision
from games.actions.moderation.report_line import report_line
from games.actions.moderation.report_player import report_player
from games.models import Decision, Game, TalkMessage
from tests.proof import proof
from tests.spam import check_no_spam, needs_spamassassin

pytestmark = pytest.mark.django_db(transaction=True)


def reached(user: User, language: str = "en") -> User:
    """Return the person, who has confirmed an address."""
    user.email, user.language = f"{user.username}@example.org", language
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture(autouse=True)
def mails(settings: Settings) -> None:
    settings.EMAIL_IS_SET = True


def decided(reporter: User, judge: User, about: User, measure: str, days: int = 0) -> Decision:
    report = report_player(reporter, about.username, reason="insult")
    made = decide_case(
        judge, about.pk, measure=measure, days=days, reason="insult", words="Not <b>here</b>.", last=report.pk
    )
    return made[-1]


def letters(user: User) -> list[str]:
    return [
        f"{mail.subject}\n{mail.body}" for mail in Mail.objects.filter(to=user.email, kind="decision").order_by("pk")
    ]


@pytest.mark.parametrize(
    ("language", "subject", "measure", "why"),
    [
        (
            "en",
            "Block-You: A moderator has made a decision",
            "Account suspended: Insult",
            "If you think that it is wrong",
        ),
        (
            "fr",
            "Block-You\N{NO-BREAK SPACE}: Une décision",
            "Compte suspendu",
            "Si elle vous semble injuste",
        ),
    ],
)
def test_the_person_reads_what_was_decided_why_and_how_to_appeal(
    alice: User, bob: User, judge: User, language: str, subject: str, measure: str, why: str
) -> None:
    decided(alice, judge, reached(bob, language), "suspend", 7)
    (letter,) = letters(bob)
    assert letter.startswith(subject)
    for part in (measure, "Not <b>here</b>.", why, "/decisions/", "/conduct/", "bob"):
        assert part in letter


@pytest.mark.parametrize(("language", "what"), [("en", "Message hidden: Threats"), ("fr", "Message masqué")])
def test_the_letter_calls_what_was_hidden_a_message(
    alice: User, bob: User, judge: User, game: Game, line: TalkMessage, language: str, what: str
) -> None:
    reached(bob, language)
    report = report_line(alice, game.slug, line.pk, reason="violence", shown=line.text)
    decide_case(judge, bob.pk, measure="none", reason="violence", last=report.pk, lines=[line.pk])
    (letter,) = letters(bob)
    assert what in letter


def test_a_decision_is_a_card_with_one_button_and_what_people_wrote_is_no_part_of_the_page(
    alice: User, bob: User, judge: User
) -> None:
    decided(alice, judge, reached(bob), "warn")
    page = Mail.objects.get(kind="decision").page
    (button,) = re.findall(r'<a\s+class="button"\s+href="([^"]+)"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert (button[0].endswith("/decisions/"), button[1].strip()) == (True, "Read the decision")
    assert "Not &lt;b&gt;here&lt;/b&gt;." in page


def test_no_letter_comes_where_nothing_was_done_and_none_to_an_address_that_is_not_confirmed(
    alice: User, bob: User, carol: User, judge: User
) -> None:
    decided(alice, judge, reached(bob), "none")
    carol.email = "carol@example.org"
    carol.save()
    decided(alice, judge, carol, "warn")
    assert not Mail.objects.filter(kind="decision").exists()


def test_a_decision_that_is_taken_back_and_an_appeal_that_is_refused_are_written_too(
    alice: User, bob: User, judge: User
) -> None:
    reached(bob)
    first = decided(alice, judge, bob, "warn")
    appeal = appeal_decision(User.objects.get(pk=bob.pk), first.pk, words="A joke.")
    answer_appeal(judge, appeal.pk, is_granted=False, words="It was none.")
    second = decided(alice, judge, bob, "silence", 1)
    lift_decision(judge, second.pk, words="We were wrong.")
    made, refused, _silenced, lifted = letters(bob)
    assert "Warning: Insult" in made
    assert "looked again at the decision about you. It stands." in refused
    assert "It was none." in refused
    assert "has taken back a decision about you" in lifted
    assert "We were wrong." in lifted


def test_a_childs_guardian_reads_it(alice: User, bob: User, carol: User, judge: User) -> None:
    reached(bob)
    User.objects.filter(pk=carol.pk).update(guardian=bob)
    carol.refresh_from_db()
    # Only the people at its tables can report a child; here it is one already.
    User.objects.filter(pk=carol.pk).update(guardian=None)
    report = report_player(alice, "carol", reason="insult")
    User.objects.filter(pk=carol.pk).update(guardian=bob)
    decide_case(judge, carol.pk, measure="warn", reason="insult", last=report.pk)
    (letter,) = letters(bob)
    assert "a moderator has made a decision about carol." in letter
    # Nobody appeals for another.
    assert "say so here" not in letter
    assert "carol can say so" in letter


def test_a_childs_guardian_reads_that_the_appeal_was_the_childs(
    alice: User, bob: User, carol: User, judge: User
) -> None:
    decision = decided(alice, judge, reached(carol), "warn")
    appeal = appeal_decision(carol, decision.pk, words="I did not")
    reached(bob)
    User.objects.filter(pk=carol.pk).update(guardian=bob)
    answer_appeal(judge, appeal.pk, is_granted=False, words="It stands.")
    assert "A moderator has answered an appeal" in letters(bob)[-1]
    assert "A moderator has answered your appeal" in letters(carol)[-1]


@pytest.mark.slow
@needs_spamassassin
@pytest.mark.parametrize("language", proof("en", "fr"))
def test_a_decision_is_far_from_the_spam_folder(
    alice: User, bob: User, judge: User, language: str, mailoutbox: list[EmailMessage]
) -> None:
    decided(alice, judge, reached(bob, language), "suspend", 7)
    check_no_spam(mailoutbox[-1].message().as_bytes())
