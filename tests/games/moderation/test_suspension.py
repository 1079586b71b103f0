"""A suspended person is kept out at every door, reads why, and comes in again by themselves."""

from collections.abc import Callable
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.guests import create_guest
from accounts.models import Scope, User
from accounts.tokens import make_token, token_of_secret, tokens_that_hold
from games.actions.moderation.answer_appeal import answer_appeal
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.lift_decision import lift_decision
from games.actions.moderation.report_player import report_player
from games.actions.notices.renew_feed import renew_feed
from games.actions.people.follow_person import follow_person
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.talk.send_message import send_message
from games.archives.making import make_archive_file
from games.errors import NotSeated
from games.models import Appeal, Archive, Decision, Game, Measure, PlayerReport
from games.queries.notices.feeds import feed_reader
from games.realtime.logins import holding_logins, openers
from tests.conftest import PASSWORD, LogIn
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, fresh, open_table, running, setup

pytestmark = pytest.mark.django_db

Suspend = Callable[..., None]


@pytest.fixture
def suspend(alice: User, judge: User) -> Suspend:
    """Return a function that suspends a person whom alice has reported."""

    def suspend(person: User, days: int = 7, now: datetime | None = None) -> None:
        report = report_player(alice, person.username, reason="violence")
        about = report.person_id
        words, reason = "You threatened alice.", "violence"
        decide_case(judge, about, measure="suspend", days=days, reason=reason, words=words, last=report.pk, now=now)
        person.refresh_from_db()

    return suspend


PAGES = (
    "/",
    "/games/",
    "/games/new/",
    "/lobby/",
    "/accounts/",
    "/accounts/tokens/",
    "/players/alice/",
    "/people/",
    "/api/",
)


@pytest.mark.parametrize("kind", ["member", "guest"])
def test_every_page_says_why_and_until_when_and_nothing_else(
    bob: User, log_in: LogIn, suspend: Suspend, kind: str
) -> None:
    person = bob if kind == "member" else create_guest()
    browser = log_in(person)
    suspend(person)
    for page in PAGES:
        answer = browser.get(page)
        assert answer.status_code == 403, page
        assert "You threatened alice." in answer.content.decode()
    assert browser.post("/play-bots/").status_code == 403
    assert browser.post("/games/new/", {}).status_code == 403
    assert not Game.objects.filter(creator=person).exists()
    assert browser.get("/games/", headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert [browser.get(page).status_code for page in ("/conduct/", "/privacy/", "/decisions/")] == [200, 200, 200]


def test_a_login_leads_to_that_page_alone(bob: User, suspend: Suspend) -> None:
    suspend(bob)
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": "bob", "password": PASSWORD}, follow=True)
    assert answer.status_code == 403
    assert "Your account is suspended" in answer.content.decode()


def test_it_ends_by_itself_for_a_guest_too(log_in: LogIn, suspend: Suspend) -> None:
    guest = create_guest()
    browser = log_in(guest)
    suspend(guest, days=1, now=timezone.now() - timedelta(hours=23))
    assert browser.get("/games/").status_code == 403
    User.objects.filter(pk=guest.pk).update(suspended_until=timezone.now())
    assert browser.get("/games/").status_code == 200


def test_programs_and_bots_of_the_person_are_refused_too(bob: User, suspend: Suspend) -> None:
    fred = User.objects.create_user("Fred", operator=bob)
    now = timezone.now()
    secrets = [make_token(each, "a test", list(Scope), now) for each in (bob, fred)]
    tokens = [token.pk for secret in secrets if (token := token_of_secret(secret, now))]
    assert tokens_that_hold(tokens) == {*tokens}
    suspend(bob)
    assert [token_of_secret(secret, now) for secret in secrets] == [None, None]
    assert tokens_that_hold(tokens) == set()
    for secret in secrets:
        answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
        assert answer.status_code == 401
        assert "suspended" in answer.json()["detail"]


def test_open_sockets_end_and_none_opens(
    bob: User,
    log_in: LogIn,
    suspend: Suspend,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    browser = log_in(bob)
    ended: list[int] = []
    key = browser.cookies[settings.SESSION_COOKIE_NAME].value
    [opened] = openers([key])
    scope = {"user": opened, "session": browser.session}
    assert (opened, holding_logins([scope])) == (bob, [True])
    monkeypatch.setattr("games.realtime.publish.check_logins", ended.append)
    with django_capture_on_commit_callbacks(execute=True):
        suspend(bob)
    assert bob.pk in ended
    assert holding_logins([scope]) == [False]
    assert not openers([key])[0].is_authenticated


def test_no_action_is_taken_by_another_way(alice: User, bob: User, game: Game, suspend: Suspend) -> None:
    table = open_table(alice, ME, OPEN, is_public=True)
    suspend(bob)
    for act in (
        lambda: join_game(bob, table.slug),
        lambda: create_game(bob, setup(ME, OPEN)),
        lambda: send_message(bob, game.slug, phrase="hello"),
        lambda: follow_person(bob, "alice"),
        lambda: report_player(bob, "alice", reason="spam"),
    ):
        with pytest.raises(NotSeated) as refused:
            act()
        assert refused.value.code == "suspended"


def test_waiting_tables_are_left_and_running_games_go_on(alice: User, bob: User, carol: User, suspend: Suspend) -> None:
    own = open_table(bob, ME, OPEN, is_public=True)
    others = open_table(alice, ME, OPEN, OPEN, OPEN, is_public=True, is_rated=False)
    join_game(bob, others.slug)
    fred = User.objects.create_user("Fred", operator=bob)
    join_game(fred, others.slug)
    game = running(alice, bob)
    before = fresh(game)
    suspend(bob)
    assert fresh(own).status == "cancelled"
    assert [seat.user for seat in fresh(others).players.order_by("seat")] == [alice, None, None, None]
    assert fresh(game).status == "running"
    assert (fresh(game).version, fresh(game).turn_seat) == (before.version, before.turn_seat)


def test_feeds_stand_still(bob: User, suspend: Suspend) -> None:
    secret = renew_feed(bob, language="en", now=timezone.now())
    assert feed_reader(secret) == bob
    suspend(bob)
    assert feed_reader(secret) is None


def test_who_is_suspended_can_close_the_account(bob: User, log_in: LogIn, suspend: Suspend) -> None:
    browser = log_in(bob)
    suspend(bob)
    assert browser.post("/accounts/delete/", {"password": PASSWORD}).status_code == 302
    bob.refresh_from_db()
    assert (bob.is_active, bob.suspended_until) == (False, None)
    assert not PlayerReport.objects.exists()


def test_who_is_suspended_takes_their_data_along(bob: User, log_in: LogIn, suspend: Suspend) -> None:
    browser = log_in(bob)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    suspend(bob)
    assert read(browser.get("/games/")).find("a", href="/data/")
    assert browser.post("/data/")["Location"] == "/data/"
    (archive,) = Archive.objects.all()
    assert make_archive_file(archive.pk, archive.tries, now=timezone.now())
    assert 'href="/data/archive.zip"' in browser.get("/data/").content.decode()
    file: Any = browser.get("/data/archive.zip")
    assert "data/account.json" in ZipFile(BytesIO(file.getvalue())).namelist()
    assert browser.get("/data/bring/").status_code == 403


def test_the_page_says_what_becomes_of_running_games_and_when_it_was_decided(
    bob: User, log_in: LogIn, suspend: Suspend
) -> None:
    browser = log_in(bob)
    suspend(bob)
    page = read(browser.get("/games/"))
    assert "if your time runs out, you lose the game, or a bot plays for you" in page.text
    ends, made = page.find("div", class_="card").find_all("p")[:2]
    assert "until" in ends.text
    assert not ends.find_all("time")
    assert made.text.startswith("Decided · ")
    # The end is one word for lines that break.
    assert "\N{NO-BREAK SPACE}" in ends.text


def test_who_is_suspended_appeals_from_that_page(bob: User, log_in: LogIn, suspend: Suspend) -> None:
    browser = log_in(bob)
    suspend(bob)
    page = read(browser.get("/games/"))
    # Nothing has to be opened for it, and nothing stands out more.
    assert not page.find_all("details")
    assert [each.text for each in page.find_all("button", class_="button--primary")] == ["Send the appeal"]
    way = next(each["action"] for each in page.find_all("form") if "appeal" in each["action"])
    assert browser.post(way, {"words": "It was a joke."})["Location"] == "/decisions/"
    assert "Your appeal waits for a moderator." in browser.get("/games/").content.decode()


@pytest.fixture
def banned(alice: User, bob: User, judge: User) -> User:
    """Return bob, who is suspended for good and for a week."""
    for measure, days in (("ban", 0), ("suspend", 7)):
        report = report_player(alice, "bob", reason="violence")
        words = "You threatened alice." if measure == "ban" else "And again."
        decide_case(judge, bob.pk, measure=measure, days=days, reason="violence", words=words, last=report.pk)
    bob.refresh_from_db()
    return bob


def test_an_account_that_is_suspended_for_good_reads_so_and_does_not_come_in_again(
    banned: User, log_in: LogIn, judge: User
) -> None:
    page = log_in(banned).get("/games/")
    assert page.status_code == 403
    text = read(page).text
    assert "Account suspended for good" in text
    assert "You threatened alice." in text
    assert "here any more" in text
    assert "Until then" not in text
    assert "9999" not in text
    case = read(with_factor(judge, log_in).get(f"/moderation/cases/{banned.pk}/")).text
    assert "suspended for good" in case
    assert "9999" not in case
    later = timezone.now() + timedelta(days=365 * 50)
    assert not User.objects.filter(User.acting(later), pk=banned.pk).exists()


def test_for_good_is_over_once_an_appeal_is_granted_unless_another_decision_stands(
    banned: User, log_in: LogIn, judge: User
) -> None:
    browser = log_in(banned)
    page = read(browser.get("/games/"))
    way = next(each["action"] for each in page.find_all("form") if "appeal" in each["action"])
    assert browser.post(way, {"words": "It was a joke."})["Location"] == "/decisions/"
    answer_appeal(judge, Appeal.objects.get().pk, is_granted=True)
    banned.refresh_from_db()
    assert banned.suspended_until == Decision.objects.get(measure=Measure.SUSPEND).until
    assert "Until then" in read(browser.get("/games/")).text
    lift_decision(judge, Decision.objects.get(measure=Measure.SUSPEND).pk)
    banned.refresh_from_db()
    assert banned.suspended_until is None
    assert browser.get("/games/").status_code == 200


def test_whoever_is_suspended_for_good_leaves_the_tables_that_wait(alice: User, bob: User, judge: User) -> None:
    own = open_table(bob, ME, OPEN, is_public=True)
    report = report_player(alice, "bob", reason="violence")
    decide_case(judge, bob.pk, measure="ban", reason="violence", last=report.pk)
    assert fresh(own).status == "cancelled"
