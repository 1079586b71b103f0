"""Reporting a line, a player and a table: two taps without a script, a copy of the words, once while it is open."""

import html
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.limits import LimitReached
from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.moderation.report_player import report_player
from games.actions.people.block_person import block_person
from games.actions.talk.send_message import send_message
from games.background.upkeep import Upkeep
from games.models import Game, PlayerReport, Reported, TalkMessage
from games.table.counting import COMMENTS_AN_HOUR, LINES_AN_HOUR, REPORTS_AN_HOUR, count_comment, count_line
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, open_table, running

pytestmark = pytest.mark.django_db


def follow(browser: Client, page: str, words: str) -> str:
    """Return where the link with these words leads on a page."""
    return next(str(a["href"]) for a in read(browser.get(page)).find_all("a") if a.text.strip() == words)


def tap(browser: Client, page: str, words: str) -> None:
    """Press the button with these words on a page, as a browser without scripts does."""
    form = read(browser.get(page)).find("form", class_="report")
    button = next(each for each in form.find_all("button") if each.text.strip() == words)
    sent = {str(field["name"]): str(field["value"]) for field in form.find_all("input") if field["type"] == "hidden"}
    chosen = next((field for field in form.find_all("input") if "checked" in field.attributes), None)
    more = {} if chosen is None else {str(chosen["name"]): str(chosen["value"])}
    assert browser.post(page, {**sent, **more, str(button["name"]): str(button["value"])}).status_code == 302


def test_two_taps_report_a_line_with_a_copy_of_what_was_said(
    alice: User, bob: User, game: Game, line: TalkMessage, log_in: LogIn
) -> None:
    browser = log_in(alice)
    tap(browser, follow(browser, f"/games/{game.slug}/talk/", "Report"), "Threats or violence")
    TalkMessage.objects.filter(pk=line.pk).update(text="I was joking.")
    report = PlayerReport.objects.get()
    assert (report.reporter, report.person, report.kind, report.reason) == (alice, bob, Reported.LINE, "violence")
    assert report.shown == "I know where you live."
    assert report.message == line


def test_two_taps_report_a_player_with_a_copy_of_the_name(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    tap(browser, follow(browser, "/players/bob/", "Report this player"), "An offensive name")
    bob.rename("Bobby")
    bob.save()
    report = PlayerReport.objects.get()
    assert (report.person, report.kind, report.shown) == (bob, Reported.NAME, "bob")


def test_two_taps_report_a_game(alice: User, bob: User, log_in: LogIn) -> None:
    browser, game = log_in(alice), running(alice, bob, name="Losers only")
    tap(browser, follow(browser, f"/games/{game.slug}/", "Report"), "Cheating")
    report = PlayerReport.objects.get()
    assert (report.person, report.kind, report.shown, report.game) == (bob, Reported.TABLE, "Losers only", game)


def test_two_taps_report_a_table_that_waits(alice: User, bob: User, log_in: LogIn) -> None:
    browser, game = log_in(alice), open_table(bob, ME, OPEN, name="Losers only", is_public=True)
    tap(browser, follow(browser, f"/games/{game.slug}/", "Report"), "An offensive name")
    report = PlayerReport.objects.get()
    assert (report.person, report.kind, report.shown, report.game) == (bob, Reported.TABLE, "Losers only", game)


def test_at_a_table_of_four_one_chooses_who_it_is_about(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    browser, game = log_in(alice), running(alice, bob, carol, dave)
    # Nobody is chosen beforehand, and without a choice nobody is reported.
    assert " checked" not in browser.get(f"/games/{game.slug}/report/").content.decode()
    answer = browser.post(f"/games/{game.slug}/report/", {"reason": "cheating"})
    assert (answer.status_code, PlayerReport.objects.count()) == (400, 0)
    assert "Choose a player at this table." in answer.content.decode()
    browser.post(f"/games/{game.slug}/report/", {"person": "carol", "reason": "cheating"})
    assert PlayerReport.objects.get().person == carol
    assert browser.post(f"/games/{game.slug}/report/", {"person": "alice", "reason": "cheating"}).status_code == 400
    assert browser.post(f"/games/{game.slug}/report/", {"person": "eve", "reason": "cheating"}).status_code == 400
    assert PlayerReport.objects.count() == 1


def test_a_double_tap_is_one_report_and_a_new_one_waits_until_it_is_closed(alice: User, bob: User) -> None:
    first = report_player(alice, "bob", reason="spam")
    assert report_player(alice, "bob", reason="insult") == first
    PlayerReport.objects.update(closed_at=first.made_at)
    assert report_player(alice, "bob", reason="insult") != first


def test_one_may_add_words_and_too_many_are_refused_with_what_was_typed(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    answer = browser.post("/players/bob/report/", {"reason": "other", "words": "x" * 501})
    assert answer.status_code == 400
    assert "this one has 501" in answer.content.decode()
    assert "x" * 501 in answer.content.decode()
    browser.post("/players/bob/report/", {"reason": "other", "words": "He asks for my\naddress.\u202e"})
    assert PlayerReport.objects.get().words == "He asks for my address."


@pytest.mark.parametrize("reason", ["", "ugly", "violence "])
def test_a_report_has_one_of_the_reasons(alice: User, bob: User, log_in: LogIn, reason: str) -> None:
    answer = log_in(alice).post("/players/bob/report/", {"reason": reason})
    assert answer.status_code == 400
    assert "Choose what is wrong with it." in answer.content.decode()


def test_nobody_reports_themselves_or_a_bot_of_theirs(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    own = send_message(alice, game.slug, text="Me.")
    User.objects.create_user("Fred", operator=alice)
    browser = log_in(alice)
    pages = ("/players/alice/report/", "/players/Fred/report/", f"/games/{game.slug}/talk/{own.pk}/report/")
    assert [browser.post(page, {"reason": "spam"}).status_code for page in pages] == [400, 400, 400]


def test_the_person_who_answers_for_a_bot_is_reported(alice: User, bob: User) -> None:
    User.objects.create_user("Fred", operator=bob)
    report = report_player(alice, "Fred", reason="name")
    assert (report.person, report.shown) == (bob, "Fred")


def test_only_who_reads_a_line_reports_it(
    alice: User, bob: User, eve: User, game: Game, line: TalkMessage, log_in: LogIn
) -> None:
    page = f"/games/{game.slug}/talk/{line.pk}/report/"
    assert log_in(eve).post(page, {"reason": "insult"}).status_code == 404
    other = running(alice, eve)
    assert log_in(alice).get(f"/games/{other.slug}/talk/{line.pk}/report/").status_code == 404
    block_person(alice, "bob")
    assert log_in(alice).post(page, {"reason": "insult"}).status_code == 404
    assert not PlayerReport.objects.exists()


def test_a_blocked_player_can_still_be_reported_by_name(alice: User, bob: User, log_in: LogIn) -> None:
    block_person(alice, "bob")
    assert log_in(alice).post("/players/bob/report/", {"reason": "insult"}).status_code == 302


def test_guests_report_too_and_visitors_log_in_first(bob: User, log_in: LogIn) -> None:
    assert log_in(create_guest()).post("/players/bob/report/", {"reason": "insult"}).status_code == 302
    assert Client().get("/players/bob/report/")["Location"].startswith("/accounts/login/")


def test_reports_are_limited(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    codes = [browser.post("/players/bob/report/", {"reason": "spam"}).status_code for _ in range(REPORTS_AN_HOUR + 1)]
    assert codes == [302] * REPORTS_AN_HOUR + [429]


def test_what_was_written_about_a_closed_account_goes_with_it(
    alice: User, bob: User, game: Game, line: TalkMessage, carol: User
) -> None:
    report_player(alice, "bob", reason="insult", words="He is rude.")
    report_player(bob, "carol", reason="insult", words="She is rude.")
    close_account(bob)
    report = PlayerReport.objects.get()
    assert (report.person, report.words) == (carol, "")


def test_a_program_reports_with_the_scopes_for_people_and_talk(
    alice: User, bob: User, game: Game, line: TalkMessage
) -> None:
    secret = make_token(alice, "a test", [Scope.TALK, Scope.PEOPLE], timezone.now())
    asked: dict[str, Any] = {"content_type": "application/json", "headers": {"Authorization": f"Bearer {secret}"}}
    program, talk = Client(), f"/api/v1/games/{game.slug}/"
    for path, wish in (
        ("/api/v1/players/bob/report", {"reason": "name", "words": "Rude."}),
        (f"{talk}messages/{line.pk}/report", {"reason": "violence"}),
        (f"{talk}report", {"reason": "cheating", "person": "bob"}),
    ):
        assert program.post(path, wish, **asked).status_code == 204, path
        assert program.post(path, {**wish, "reason": "ugly"}, **asked).status_code in (400, 422), path
    found = PlayerReport.objects.order_by("pk").values_list("kind", "reason", "shown", "words")
    assert list(found) == [
        ("name", "name", "bob", "Rude."),
        ("line", "violence", "I know where you live.", ""),
        ("table", "cheating", game.name, ""),
    ]
    reading = make_token(alice, "another", [Scope.READ], timezone.now())
    refused = program.post(
        "/api/v1/players/bob/report",
        {"reason": "name"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {reading}"},
    )
    assert refused.status_code == 403


def test_a_closed_report_is_kept_for_a_year_and_an_open_one_until_it_is_closed(alice: User, bob: User) -> None:
    closed, waits = report_player(alice, "bob", reason="spam"), report_player(bob, "alice", reason="spam")
    PlayerReport.objects.filter(pk=closed.pk).update(closed_at=closed.made_at)
    tidy = Upkeep().tidy
    assert tidy(closed.made_at + timedelta(days=364)).reports == 0
    assert tidy(closed.made_at + timedelta(days=366)).reports == 1
    assert PlayerReport.objects.get() == waits


def test_what_a_newcomer_reports_counts_less_and_what_they_say_is_limited_more(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.LINES_AT_ONCE", LINES_AN_HOUR + 1)
    User.objects.filter(pk=carol.pk).update(date_joined=timezone.now() - timedelta(days=30))
    new, old = report_player(alice, "bob", reason="spam"), report_player(carol, "bob", reason="spam")
    assert new.trust < old.trust
    carol.refresh_from_db()
    for person, most in ((alice, LINES_AN_HOUR // 4), (carol, LINES_AN_HOUR)):
        for _line in range(most):
            count_line(person)
        with pytest.raises(LimitReached):
            count_line(person)


@pytest.mark.parametrize(
    ("age", "times"),
    [
        (timedelta(), 4),
        (timedelta(hours=2, minutes=59), 4),
        (timedelta(hours=3, minutes=1), 2),
        (timedelta(days=2, hours=23), 2),
        (timedelta(days=3, hours=1), 1),
    ],
)
def test_a_newcomer_says_and_comments_a_quarter_for_three_hours_and_a_half_for_three_days(
    alice: User, monkeypatch: pytest.MonkeyPatch, age: timedelta, times: int
) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1_800_000_001.0)
    monkeypatch.setattr("games.table.counting.LINES_AT_ONCE", LINES_AN_HOUR + 1)
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - age)
    alice.refresh_from_db()
    # A bot is as young as the person who answers for it.
    fred = User.objects.create_user("Fred", operator=alice, date_joined=timezone.now() - timedelta(days=30))
    for count, most in ((count_line, LINES_AN_HOUR // times), (count_comment, COMMENTS_AN_HOUR // times)):
        for _each in range(most - 1):
            count(alice)
        count(fred)
        with pytest.raises(LimitReached):
            count(alice)


PAYLOADS = ("<img src=x onerror=alert(1)>", '"><script>alert(1)</script>', "{{ 7*7 }}", "' hx-get=/x hx-trigger=load '")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_is_reported_is_text_on_every_page(
    alice: User, bob: User, game: Game, desk: Client, log_in: LogIn, payload: str
) -> None:
    line = send_message(bob, game.slug, text=payload)
    page = f"/games/{game.slug}/talk/{line.pk}/report/"
    browser = log_in(alice)
    browser.post(page, {"reason": "insult", "words": payload})
    case = f"/moderation/cases/{bob.pk}/"
    last = str(PlayerReport.objects.get().pk)
    seen = [browser.get(page), browser.get("/decisions/"), desk.get(case)]
    refused = {"measure": "shout", "reason": "insult", "words": payload, "last": last}
    seen.append(desk.post(case, refused))
    desk.post(case, {**refused, "measure": "warn"})
    seen += [log_in(bob).get("/decisions/"), desk.get("/moderation/record/"), desk.get(case)]
    for answer in seen:
        text = answer.content.decode()
        assert "<img src=x" not in text
        assert "<script>alert" not in text
        assert "' hx-get" not in text
        assert html.escape(payload) in text or payload.startswith("{{")
