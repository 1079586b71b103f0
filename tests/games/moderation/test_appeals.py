"""One appeal a decision, which another moderator answers; a name that was taken away; and what everyone may read."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import User
from games.actions.moderation.answer_appeal import answer_appeal
from games.actions.moderation.appeal_decision import appeal_decision
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.lift_decision import lift_decision
from games.actions.moderation.report_line import report_line
from games.actions.moderation.report_player import report_player
from games.actions.talk.send_message import send_message
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import Appeal, Decision, Game, Measure, TalkMessage
from tests.conftest import LogIn, person
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import Element, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def joan(db: None) -> User:
    """Return a second moderator."""
    joan = person("joan")
    User.objects.filter(pk=joan.pk).update(is_moderator=True)
    joan.refresh_from_db()
    return joan


def decided(alice: User, judge: User, about: User, measure: str, days: int = 0) -> Decision:
    report = report_player(alice, about.username, reason="name")
    [decision] = decide_case(judge, report.person_id, measure=measure, days=days, reason="name", last=report.pk)
    about.refresh_from_db()
    return decision


def test_an_appeal_is_sent_once_and_answered_by_another_moderator(
    alice: User, bob: User, judge: User, joan: User, log_in: LogIn
) -> None:
    decision = decided(alice, judge, bob, "silence", 7)
    browser = log_in(bob)
    browser.post(f"/decisions/{decision.pk}/appeal/", {"words": "It was a joke."})
    browser.post(f"/decisions/{decision.pk}/appeal/", {"words": "Really!"})
    appeal = Appeal.objects.get()
    assert appeal.words == "It was a joke."
    with pytest.raises(NotFound):
        answer_appeal(judge, appeal.pk, is_granted=False)
    assert f"/moderation/appeals/{appeal.pk}/" not in with_factor(judge, log_in).get("/moderation/").content.decode()
    desk = with_factor(joan, log_in)
    assert f"/moderation/appeals/{appeal.pk}/" in desk.get("/moderation/").content.decode()
    assert "It was a joke." in desk.get(f"/moderation/appeals/{appeal.pk}/").content.decode()
    assert desk.post(f"/moderation/appeals/{appeal.pk}/", {"grant": "yes", "words": "It was."}).status_code == 302
    bob.refresh_from_db()
    assert (bob.silenced_until, bob.has_decisions) == (None, True)
    text = browser.get("/decisions/").content.decode()
    assert "Your appeal was granted" in text
    assert "It was." in text
    with pytest.raises(WrongStatus):
        answer_appeal(joan, appeal.pk, is_granted=False)


def test_an_appeal_stands_beside_what_was_decided_by_whom_and_what_was_reported(
    alice: User, bob: User, game: Game, line: TalkMessage, judge: User, joan: User, log_in: LogIn
) -> None:
    report = report_line(alice, game.slug, line.pk, reason="violence", shown=line.text)
    [decision] = decide_case(judge, bob.pk, measure="warn", reason="violence", last=report.pk)
    appeal = appeal_decision(bob, decision.pk, words="It was a joke.")
    desk = with_factor(joan, log_in)
    page = read(desk.get(f"/moderation/appeals/{appeal.pk}/"))
    assert [each.text for each in page.find("main").find_all("h2")] == [
        "The decision",
        "What was reported",
        "Why bob appeals",
    ]
    assert "Decided by judith" in page.text
    assert page.find("legend").text == "Decide"
    assert page.find("label", for_="words").text == "Message to bob (optional)"
    assert line.text in page.text
    assert "Reported by alice" in page.text
    assert page.find("a", href=f"/moderation/cases/{bob.pk}/")
    # Whoever has reported the person since does not see the case.
    report_player(joan, "bob", reason="insult")
    page = read(desk.get(f"/moderation/appeals/{appeal.pk}/"))
    assert not page.find_all("a", href=f"/moderation/cases/{bob.pk}/")


def test_what_was_hidden_is_quoted_once(
    alice: User, bob: User, game: Game, line: TalkMessage, judge: User, joan: User, log_in: LogIn
) -> None:
    report = report_line(alice, game.slug, line.pk, reason="violence", shown=line.text)
    [decision] = decide_case(judge, bob.pk, measure="none", lines=[line.pk], reason="violence", last=report.pk)
    appeal = appeal_decision(bob, decision.pk, words="It was a joke.")
    text = read(with_factor(joan, log_in).get(f"/moderation/appeals/{appeal.pk}/")).text
    assert text.count(line.text) == 1


def test_a_moderator_who_is_alone_answers_their_own_decision(alice: User, bob: User, judge: User) -> None:
    appeal = appeal_decision(bob, decided(alice, judge, bob, "warn").pk, words="Why?")
    answer_appeal(judge, appeal.pk, is_granted=False, words="It is the rule.")
    assert not Decision.objects.filter(measure=Measure.LIFT).exists()


def test_who_reported_answers_no_appeal(alice: User, bob: User, judge: User) -> None:
    appeal = appeal_decision(bob, decided(alice, judge, bob, "warn").pk, words="Why?")
    User.objects.filter(pk=alice.pk).update(is_moderator=True)
    alice.refresh_from_db()
    with pytest.raises(NotFound):
        answer_appeal(alice, appeal.pk, is_granted=True)


def test_who_decided_answers_where_every_other_moderator_reported_or_the_appeal_would_wait_for_ever(
    alice: User, bob: User, judge: User, joan: User, log_in: LogIn
) -> None:
    report_player(joan, bob.username, reason="name")
    appeal = appeal_decision(bob, decided(alice, judge, bob, "warn").pk, words="Why?")
    with pytest.raises(NotFound):
        answer_appeal(joan, appeal.pk, is_granted=True)
    address = f"/moderation/appeals/{appeal.pk}/"
    assert address in with_factor(judge, log_in).get("/moderation/").content.decode()
    assert answer_appeal(judge, appeal.pk, is_granted=True).is_granted


def test_the_bot_of_a_moderator_that_reported_is_that_moderator(
    alice: User, bob: User, judge: User, joan: User
) -> None:
    program = person("joans-bot")
    User.objects.filter(pk=program.pk).update(operator=joan)
    program.refresh_from_db()
    report_player(program, bob.username, reason="name")
    appeal = appeal_decision(bob, decided(alice, judge, bob, "warn").pk, words="Why?")
    with pytest.raises(NotFound):
        answer_appeal(joan, appeal.pk, is_granted=True)
    assert answer_appeal(judge, appeal.pk, is_granted=False).closed_at


def test_only_ones_own_decisions_can_be_appealed_and_for_half_a_year(
    alice: User, bob: User, judge: User, log_in: LogIn
) -> None:
    decision = decided(alice, judge, bob, "warn")
    assert log_in(alice).post(f"/decisions/{decision.pk}/appeal/", {"words": "No!"}).status_code == 404
    with pytest.raises(BadRequest):
        appeal_decision(bob, decision.pk, words=" \u200b ")
    with pytest.raises(WrongStatus):
        appeal_decision(bob, decision.pk, words="No!", now=timezone.now() + timedelta(days=184))
    assert not Appeal.objects.exists()


def test_of_two_suspensions_the_other_stands(alice: User, bob: User, judge: User, joan: User) -> None:
    long, short = decided(alice, judge, bob, "suspend", 30), decided(alice, judge, bob, "suspend", 1)
    assert bob.suspended_until == long.until
    answer_appeal(joan, appeal_decision(bob, long.pk, words="No!").pk, is_granted=True)
    bob.refresh_from_db()
    assert bob.suspended_until == short.until


def test_a_line_is_shown_again(alice: User, bob: User, game: Game, line: TalkMessage, judge: User, joan: User) -> None:
    report = report_line(alice, game.slug, line.pk, reason="violence", shown=line.text)
    [decision] = decide_case(judge, bob.pk, lines=[line.pk], measure="none", reason="violence", last=report.pk)
    answer_appeal(joan, appeal_decision(bob, decision.pk, words="No!").pk, is_granted=True)
    line.refresh_from_db()
    assert not line.is_hidden


@pytest.mark.parametrize("kind", ["member", "guest"])
def test_a_name_is_replaced_at_once_and_not_chosen_again(
    alice: User, bob: User, judge: User, log_in: LogIn, kind: str
) -> None:
    about = bob
    if kind == "guest":
        about = create_guest()
        User.objects.filter(pk=about.pk).update(username="Bobby")
        about.refresh_from_db()
        about.save()
    before = about.username
    decided(alice, judge, about, "rename")
    assert about.username.startswith("Player-" if kind == "member" else "Guest-")
    assert Client().get(f"/players/{before}/").status_code == 404
    browser = log_in(about)
    assert "Choose a name" in browser.get("/decisions/").content.decode()
    for again in (before, before.upper(), before.replace("o", "0")):
        answer = browser.post("/accounts/name/", {"username": again})
        assert answer.status_code == 200, again
        about.refresh_from_db()
        assert about.username != again
    browser.post("/accounts/name/", {"username": "Walter"})
    about.refresh_from_db()
    assert about.username == "Walter"
    assert "Choose a name" not in browser.get("/decisions/").content.decode()


def test_a_member_logs_in_with_the_name_that_was_taken_away(alice: User, bob: User, judge: User) -> None:
    decided(alice, judge, bob, "rename")
    browser = Client()
    browser.post("/accounts/login/", {"login": "bob", "password": "corner to corner, always"})
    assert browser.get("/accounts/").status_code == 200


def test_the_name_of_a_bot_is_taken_from_the_bot(alice: User, bob: User, judge: User) -> None:
    fred = User.objects.create_user("Fred", operator=bob)
    decided(alice, judge, fred, "rename")
    bob.refresh_from_db()
    assert (bob.username, fred.username[:7]) == ("bob", "Player-")


def test_a_name_is_given_back_to_be_chosen_again(
    alice: User, bob: User, judge: User, joan: User, log_in: LogIn
) -> None:
    appeal = appeal_decision(bob, decided(alice, judge, bob, "rename").pk, words="It is my name.")
    answer_appeal(joan, appeal.pk, is_granted=True)
    log_in(bob).post("/accounts/name/", {"username": "bob"})
    bob.refresh_from_db()
    assert bob.username == "bob"


def test_everyone_reads_the_rules_and_how_often_they_were_broken(alice: User, bob: User, judge: User) -> None:
    decided(alice, judge, bob, "warn")
    cache.clear()
    text = Client().get("/conduct/").content.decode()
    assert "Threats or violence" in text
    assert "<dt>Warning</dt>\n<dd>1</dd>" in text
    assert "bob" not in text


def facts(page: Element) -> dict[str, int]:
    """Return what a list of facts says, by its terms."""
    facts = page.find("dl", class_="facts")
    pairs = zip(facts.find_all("dt"), facts.find_all("dd"), strict=True)
    return {term.text: int(number.text) for term, number in pairs}


def test_the_counts_are_those_of_the_last_year_with_the_appeals_against_them(
    alice: User, bob: User, judge: User, joan: User
) -> None:
    old = [decided(alice, judge, bob, "silence", 7), decided(alice, judge, bob, "warn")]
    kept = [decided(alice, judge, bob, measure) for measure in ("warn", "warn", "warn", "rename")]
    for decision, is_granted in ((old[1], True), (kept[0], True), (kept[1], False)):
        answer_appeal(joan, appeal_decision(bob, decision.pk, words="Why?").pk, is_granted=is_granted)
    appeal_decision(bob, kept[2].pk, words="Nobody has answered this yet.")
    year = timedelta(days=365)
    Decision.objects.filter(pk__in=[each.pk for each in old]).update(made_at=timezone.now() - year - timedelta(days=1))
    Decision.objects.filter(pk=kept[3].pk).update(made_at=timezone.now() - year + timedelta(days=1))
    cache.clear()
    found = facts(read(Client().get("/conduct/")))
    assert {term: number for term, number in found.items() if number} == {
        "Warning": 3,
        "Name taken away": 1,
        "Appeals answered": 2,
        "Appeals granted": 1,
    }
    assert found["Ready phrases only"] == 0


def test_appeals_go_with_the_account(alice: User, bob: User, judge: User) -> None:
    appeal_decision(bob, decided(alice, judge, bob, "rename").pk, words="I am Bob of London.")
    close_account(bob)
    assert not Appeal.objects.exists()
    assert list(Decision.objects.values_list("words", "shown")) == [("", "")]


@pytest.mark.parametrize("payload", ["<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "{{ 7*7 }}"])
def test_what_is_appealed_and_answered_is_text(
    alice: User, bob: User, game: Game, judge: User, joan: User, log_in: LogIn, payload: str
) -> None:
    appeal = appeal_decision(bob, decided(alice, judge, bob, "warn").pk, words=payload)
    desk, browser = with_factor(joan, log_in), log_in(bob)
    seen = [desk.get(f"/moderation/appeals/{appeal.pk}/"), desk.get("/moderation/")]
    answer_appeal(joan, appeal.pk, is_granted=False, words=payload)
    seen.append(browser.get("/decisions/"))
    send_message(bob, game.slug, phrase="hello")
    for answer in seen:
        assert answer.status_code == 200
        assert "<img src=x" not in answer.content.decode()
        assert "<script>alert" not in answer.content.decode()


def test_a_mistake_is_taken_back_on_the_page_of_the_case(
    alice: User, bob: User, judge: User, desk: Client, log_in: LogIn
) -> None:
    decision = decided(alice, judge, bob, "suspend", 30)
    page = desk.get(f"/moderation/cases/{bob.pk}/").content.decode()
    assert f"/moderation/decisions/{decision.pk}/lift/" in page
    answer = desk.post(f"/moderation/decisions/{decision.pk}/lift/", {"words": "Wrong person."})
    assert (answer.status_code, answer["Location"]) == (302, f"/moderation/cases/{bob.pk}/")

    bob.refresh_from_db()
    assert (bob.suspended_until, bob.has_decisions) == (None, True)
    page = desk.get(f"/moderation/cases/{bob.pk}/").content.decode()
    assert "/lift/" not in page
    assert "This decision was taken back." in page
    assert "This decision was taken back." in desk.get("/moderation/record/").content.decode()
    text = log_in(bob).get("/decisions/").content.decode()
    assert "Wrong person." in text
    assert f"/decisions/{decision.pk}/appeal/" not in text
    # A stale tab, and an appeal that comes too late, change nothing.
    assert desk.post(f"/moderation/decisions/{decision.pk}/lift/").status_code == 409
    with pytest.raises(NotFound):
        appeal_decision(bob, decision.pk, words="Why?")
    assert Decision.objects.filter(measure=Measure.LIFT).count() == 1


def test_an_appeal_that_waits_is_granted_when_the_decision_is_taken_back(alice: User, bob: User, judge: User) -> None:
    decision = decided(alice, judge, bob, "silence", 7)
    appeal = appeal_decision(bob, decision.pk, words="Why?")
    lift_decision(judge, decision.pk)
    appeal.refresh_from_db()
    assert (appeal.is_granted, appeal.moderator) == (True, judge)
    with pytest.raises(WrongStatus):
        answer_appeal(judge, appeal.pk, is_granted=True)


def test_no_moderator_takes_back_what_their_own_report_led_to_or_what_is_about_themselves(
    alice: User, bob: User, judge: User, joan: User
) -> None:
    decision = decided(alice, judge, bob, "warn")
    User.objects.filter(pk__in=(alice.pk, bob.pk)).update(is_moderator=True)
    for each in (alice, bob):
        each.refresh_from_db()
        with pytest.raises(NotFound):
            lift_decision(each, decision.pk)
    User.objects.filter(pk=bob.pk).update(is_moderator=False)
    with pytest.raises(BadRequest):
        lift_decision(joan, decision.pk, words="x" * 501)
    lifted = lift_decision(joan, decision.pk)
    with pytest.raises(WrongStatus):
        lift_decision(joan, lifted.pk)
    with pytest.raises(NotFound):
        lift_decision(joan, 10**9)
