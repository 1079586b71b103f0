"""The desk of moderators: who may come in, in which order cases wait, what is decided, and who reads of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.bots.keeping import make_bot
from accounts.keys.factors import drop_factors
from accounts.models import User
from accounts.naming import rename
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.report_line import report_line
from games.actions.moderation.report_player import report_player
from games.actions.moderation.report_table import report_table
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.edit_table import edit_table
from games.actions.tables.repeat_table import repeat_table
from games.actions.talk.send_message import send_message
from games.base.terms import TableTerms
from games.errors import NotFound, NotSeated, WrongStatus
from games.models import Decision, Game, Measure, PlayerReport, TalkMessage
from games.queries.moderation.cases import waiting_cases
from tests.accounts.factors import AGAIN, Clock, code_of, secret_of, show_factor, with_codes
from tests.accounts.factors import clock as clock
from tests.conftest import PASSWORD, LogIn, person
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, fresh, open_table, running, setup
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db

PAGES = ("/moderation/", "/moderation/record/", "/moderation/cases/1/")


@pytest.fixture
def reported(alice: User, game: Game, line: TalkMessage) -> PlayerReport:
    """Return alice's report about what bob has said."""
    return report_line(alice, game.slug, line.pk, reason="violence", shown=line.text)


def decide(browser: Client, report: PlayerReport, measure: str, **more: object) -> int:
    sent = {"measure": measure, "reason": report.reason, "last": str(report.pk), **more}
    return browser.post(f"/moderation/cases/{report.person_id}/", sent).status_code


def test_the_desk_does_not_exist_for_anyone_but_moderators(alice: User, log_in: LogIn) -> None:
    alice.is_staff = alice.is_superuser = True
    alice.save()
    for browser in (Client(), with_factor(alice, log_in)):
        assert [browser.get(page).status_code for page in PAGES] == [404, 404, 404]


def test_the_host_appoints_moderators_and_takes_it_back(alice: User, log_in: LogIn) -> None:
    call_command("moderator", "alice")
    browser = with_factor(alice, log_in)
    assert browser.get("/moderation/").status_code == 200
    call_command("moderator", "alice", "--remove")
    assert browser.get("/moderation/").status_code == 404


def test_a_moderator_without_a_second_factor_is_led_to_set_one_up(
    alice: User, log_in: LogIn, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("moderator", "alice")
    assert "alice has no second factor yet" in capsys.readouterr().out
    browser = with_factor(alice, log_in)
    drop_factors(alice)
    for page in PAGES:
        answer = browser.get(page, follow=True)
        assert answer.redirect_chain[0][0] == "/accounts/keys/"
        assert "Moderators need a second factor. Switch one on here first." in answer.content.decode()
    with_codes(alice)
    assert browser.get("/moderation/")["Location"].startswith(AGAIN)
    show_factor(browser, alice)
    assert browser.get("/moderation/").status_code == 200
    call_command("moderator", "alice")
    assert "second factor" not in capsys.readouterr().out


def test_a_moderator_without_a_password_opens_the_desk_by_a_code(judge: User, log_in: LogIn, clock: Clock) -> None:
    judge.set_unusable_password()
    judge.save()
    browser = log_in(judge)
    asked = browser.get("/moderation/", follow=True)
    assert asked.redirect_chain[-1][0].startswith(AGAIN)
    browser.post(AGAIN, {"code": code_of(secret_of(judge))})
    assert browser.get("/moderation/").status_code == 200


def test_a_password_alone_opens_no_desk_in_a_session_older_than_the_factor(alice: User, log_in: LogIn) -> None:
    call_command("moderator", "alice")
    thief = log_in(alice)
    thief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    with_codes(alice)
    for page in PAGES:
        assert thief.get(page)["Location"].startswith(AGAIN)
    thief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert thief.get("/moderation/")["Location"].startswith(AGAIN)


def test_moderators_are_asked_for_their_second_factor_now_and_then(
    judge: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = log_in(judge)
    assert browser.get("/moderation/")["Location"].startswith(AGAIN)
    browser = with_factor(judge, log_in)
    assert browser.get("/moderation/").status_code == 200
    monkeypatch.setattr("games.views.moderation.desk.time.time", lambda: timezone.now().timestamp() + 31 * 60)
    assert browser.get("/moderation/")["Location"].startswith(AGAIN)
    assert browser.post("/moderation/cases/1/")["Location"].startswith(AGAIN)


def test_the_gravest_case_comes_first_then_that_of_most_people(
    alice: User, bob: User, carol: User, dave: User, eve: User, judge: User
) -> None:
    report_player(alice, "bob", reason="spam")
    report_player(alice, "carol", reason="name")
    report_player(eve, "carol", reason="spam")
    report_player(eve, "dave", reason="name")
    report_player(dave, "eve", reason="violence")
    assert [str(case.person) for case in waiting_cases(judge)] == ["eve", "carol", "dave", "bob"]


def test_a_reporter_who_was_right_before_counts_more(
    alice: User, bob: User, carol: User, dave: User, judge: User
) -> None:
    for _ in range(3):
        right = report_player(alice, "dave", reason="spam")
        decide_case(judge, dave.pk, measure="warn", reason="spam", last=right.pk)
        wrong = report_player(bob, "dave", reason="spam")
        decide_case(judge, dave.pk, measure="none", reason="spam", last=wrong.pk)
    report_player(bob, "carol", reason="spam")
    report_player(alice, "dave", reason="spam")
    assert [str(case.person) for case in waiting_cases(judge)] == ["dave", "carol"]


def test_a_line_is_hidden_in_three_taps_for_all_who_read_it(
    alice: User, bob: User, game: Game, reported: PlayerReport, desk: Client, log_in: LogIn
) -> None:
    version = fresh(game).version
    queue = read(desk.get("/moderation/"))
    case = next(str(a["href"]) for a in queue.find_all("a") if a.text.strip() == "bob")
    page = read(desk.get(case))
    form = page.find("form", method="post", class_="section")
    # It stands beside what was reported, above the form that it is sent with.
    box = page.find("input", type="checkbox")
    assert box["form"] == form["id"]
    button = next(each for each in form.find_all("button") if each.text.strip() == "Close without action")
    hidden = {str(field["name"]): str(field["value"]) for field in form.find_all("input", type="hidden")}
    sent = {**hidden, "reason": "violence", str(box["name"]): str(box["value"]), str(button["name"]): "none"}
    assert desk.post(case, sent).status_code == 302
    for reader in (alice, bob):
        text = log_in(reader).get(f"/games/{game.slug}/talk/").content.decode()
        assert "Hidden by a moderator." in text
        assert "where you live" not in text
    assert fresh(game).version == version + 1
    decision = Decision.objects.get()
    assert (decision.measure, decision.shown) == (Measure.HIDE, "I know where you live.")
    assert read(log_in(bob).get("/decisions/")).find("strong").text == "Message hidden"


MEASURES = [
    "warn",
    "rename",
    "ban",
    "none",
    *(f"{name} {days}" for name in ("silence", "suspend") for days in (1, 7, 30)),
]


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_takes_two_taps_from_the_queue(
    bob: User, reported: PlayerReport, desk: Client, measure: str
) -> None:
    queue = read(desk.get("/moderation/"))
    case = next(str(each["href"]) for each in queue.find_all("a") if each.text.strip() == "bob")
    form = read(desk.get(case)).find("form", method="post", class_="section")
    buttons = [each for each in form.find_all("button") if each["name"] == "measure"]
    assert sorted(each["value"] for each in buttons) == sorted(MEASURES)
    # Nothing has to be opened to see it, and the rule is that of the report unless another one is chosen.
    assert not form.find_all("details")
    (rule,) = [each["value"] for each in form.find_all("option") if "selected" in each.attributes]
    hidden = {str(field["name"]): str(field["value"]) for field in form.find_all("input", type="hidden")}
    assert desk.post(case, {**hidden, "reason": rule, "measure": measure}).status_code == 302
    decision = Decision.objects.get()
    assert (decision.person, decision.measure) == (bob, measure.split()[0])
    assert (decision.until is not None) == (" " in measure)
    bob.refresh_from_db()
    assert bob.is_suspended == measure.startswith(("suspend", "ban"))


def test_what_is_decided_is_grouped_from_nothing_to_the_gravest_below_what_there_is_to_know(
    alice: User, bob: User, reported: PlayerReport, desk: Client
) -> None:
    decide(desk, reported, "warn")
    report_player(alice, "bob", reason="insult")
    answer = desk.get(f"/moderation/cases/{bob.pk}/")
    groups = read(answer).find("form", id="decide").find_all("fieldset")[1:]
    found = {group.find("legend").text: [each["value"] for each in group.find_all("button")] for group in groups}
    assert found == {
        "No action": ["none"],
        "Warning and name": ["warn", "rename"],
        "Talk": ["silence 1", "silence 7", "silence 30"],
        "Suspension": ["suspend 1", "suspend 7", "suspend 30", "ban"],
    }
    text = answer.content.decode()
    assert text.index("Decided before") < text.index("bob reads the rule and your message") < text.index('"measure"')


def test_only_the_latest_decisions_stand_open_above_the_buttons(
    alice: User, bob: User, judge: User, desk: Client
) -> None:
    for number in range(5):
        report = report_player(alice, "bob", reason="insult")
        decide_case(judge, bob.pk, measure="warn", reason="insult", words=f"Word {number}.", last=report.pk)
    page = read(desk.get(f"/moderation/cases/{bob.pk}/"))
    folded = next(each for each in page.find_all("details") if each.find_all("summary")[0].text == "Earlier decisions")
    shown = [number for number in range(5) if f"Word {number}." in page.text]
    assert shown == [0, 1, 2, 3, 4]
    assert [number for number in range(5) if f"Word {number}." in folded.text] == [0, 1]


def test_the_queue_says_how_many_reports_there_are_of_how_many_people_and_what_is_worst_in_them(
    alice: User, bob: User, carol: User, dave: User, desk: Client
) -> None:
    report_player(alice, "bob", reason="violence")
    report_player(carol, "bob", reason="spam")
    report_player(alice, "dave", reason="insult")
    lines = [each.text for each in read(desk.get("/moderation/")).find_all("span", class_="list__line")]
    assert lines[0].startswith("Most serious: Threats or violence · 2 reports from 2 people ·")
    assert lines[1].startswith("Insults or an offensive name · 1 report ·")


@pytest.mark.parametrize("words", ["", "Every day."])
@pytest.mark.parametrize("kind", ["line", "player", "table"])
def test_every_report_says_who_sent_it(
    alice: User, bob: User, game: Game, line: TalkMessage, desk: Client, kind: str, words: str
) -> None:
    if kind == "line":
        report_line(alice, game.slug, line.pk, reason="insult", shown=line.text, words=words)
    elif kind == "player":
        report_player(alice, "bob", reason="insult", words=words)
    else:
        report_table(alice, game.slug, "bob", reason="insult", words=words)
    text = read(desk.get(f"/moderation/cases/{bob.pk}/")).text
    assert (f"Reported by alice: {words}" if words else "Reported by alice") in text
    assert "From alice" not in text


def test_who_is_silenced_keeps_the_phrases_until_it_ends_by_itself(
    bob: User, game: Game, reported: PlayerReport, desk: Client, log_in: LogIn
) -> None:
    assert decide(desk, reported, "silence 7", words="No threats here.") == 302
    with pytest.raises(NotSeated) as refused:
        send_message(bob, game.slug, text="And yet.")
    assert refused.value.code == "silenced"
    send_message(bob, game.slug, phrase="sorry")
    page = log_in(bob).get(f"/games/{game.slug}/talk/").content.decode()
    assert "A moderator has decided that you choose from the ready phrases until" in page
    later = timezone.now() + timedelta(days=7, minutes=1)
    send_message(bob, game.slug, text="I am sorry.", now=later)


def test_who_is_silenced_names_no_table(bob: User, game: Game, reported: PlayerReport, desk: Client) -> None:
    table = open_table(bob, ME, OPEN, name="Kind words")
    decide(desk, reported, "silence 7")
    with pytest.raises(NotSeated, match="nothing of your own"):
        create_game(bob, setup(ME, OPEN, name="Come here"))
    with pytest.raises(NotSeated, match="nothing of your own"):
        edit_table(bob, table.slug, TableTerms.of(table, name="Come here"))
    create_game(bob, setup(ME, OPEN))
    edit_table(bob, table.slug, TableTerms.of(table, is_public=True))


def test_a_bot_is_silenced_with_the_person_who_answers_for_it(
    alice: User, bob: User, game: Game, reported: PlayerReport, judge: User
) -> None:
    decide_case(judge, bob.pk, measure="silence", days=1, reason="insult", last=reported.pk)
    fred = User.objects.create_user("Fred", operator=bob)
    game.players.filter(user=bob).update(user=fred)
    with pytest.raises(NotSeated) as refused:
        send_message(fred, game.slug, text="And yet.")
    assert refused.value.code == "silenced"


def test_the_person_and_the_reporter_are_told_on_every_page_until_they_have_read_it(
    alice: User, bob: User, reported: PlayerReport, desk: Client, log_in: LogIn
) -> None:
    decide(desk, reported, "warn", words="Please be kind.")
    for reader, read_there in (
        (bob, ("Warning", "Threats or violence", "Please be kind.")),
        (alice, ("A moderator has acted on it.", "I know where you live.")),
    ):
        browser = log_in(reader)
        assert "/decisions/" in browser.get("/games/").content.decode()
        text = browser.get("/decisions/").content.decode()
        assert all(words in text for words in read_there)
        assert "judith" not in text
        assert 'href="/decisions/"' not in browser.get("/games/").content.decode()
    assert "alice" not in log_in(bob).get("/decisions/").content.decode()


def test_a_case_closed_without_a_measure_is_no_news_for_the_person(
    alice: User, bob: User, reported: PlayerReport, desk: Client, log_in: LogIn
) -> None:
    decide(desk, reported, "none")
    bob.refresh_from_db()
    assert not bob.has_decisions
    assert "found nothing that is not allowed" in log_in(alice).get("/decisions/").content.decode()


def test_nobody_decides_about_themselves_or_about_what_they_reported(
    alice: User, bob: User, reported: PlayerReport, log_in: LogIn
) -> None:
    User.objects.filter(pk__in=(alice.pk, bob.pk)).update(is_moderator=True, is_staff=True)
    for moderator in (alice, bob):
        browser = with_factor(moderator, log_in)
        assert "bob" not in {
            a.text.strip() for a in read(browser.get("/moderation/")).find_all("a", class_="list__title")
        }
        assert browser.get(f"/moderation/cases/{bob.pk}/").status_code == 404
        assert decide(browser, reported, "none") == 404
    assert not Decision.objects.exists()


@pytest.mark.parametrize("right", ["is_staff", "is_superuser", "is_moderator"])
def test_people_whom_the_host_has_put_beside_a_moderator_are_the_hosts_to_judge(
    bob: User, reported: PlayerReport, judge: User, right: str
) -> None:
    User.objects.filter(pk=bob.pk).update(**{right: True})
    assert waiting_cases(judge) == []
    with pytest.raises(NotFound):
        decide_case(judge, bob.pk, measure="silence", days=1, reason="insult", last=reported.pk)
    User.objects.filter(pk=judge.pk).update(is_staff=True)
    judge.refresh_from_db()
    assert len(waiting_cases(judge)) == 1
    decide_case(judge, bob.pk, measure="warn", reason="insult", last=reported.pk)


def test_who_is_no_moderator_any_more_decides_nothing(reported: PlayerReport, judge: User) -> None:
    User.objects.filter(pk=judge.pk).update(is_moderator=False)
    with pytest.raises(NotFound):
        decide_case(judge, reported.person_id, measure="warn", reason="insult", last=reported.pk)


def test_of_two_moderators_one_decides(reported: PlayerReport, judge: User) -> None:
    other = person("joan")
    User.objects.filter(pk=other.pk).update(is_moderator=True)
    decide_case(judge, reported.person_id, measure="warn", reason="insult", last=reported.pk)
    with pytest.raises(WrongStatus) as refused:
        decide_case(other, reported.person_id, measure="silence", days=30, reason="insult", last=reported.pk)
    assert refused.value.code == "case-decided"
    assert Decision.objects.count() == 1


def test_a_report_that_came_after_the_page_stays_open(
    bob: User, carol: User, reported: PlayerReport, desk: Client
) -> None:
    later = report_player(carol, "bob", reason="spam")
    decide(desk, reported, "warn")
    assert list(PlayerReport.objects.filter(closed_at=None)) == [later]


def test_only_reported_lines_are_hidden(bob: User, game: Game, reported: PlayerReport, desk: Client) -> None:
    other = send_message(bob, game.slug, text="Nice weather.")
    decide(desk, reported, "warn", line=[str(other.pk)])
    assert not TalkMessage.objects.filter(is_hidden=True).exists()


def test_a_line_that_is_hidden_already_is_hidden_by_no_second_decision(
    alice: User, bob: User, carol: User, judge: User
) -> None:
    game = running(alice, bob, carol, variant="classic-3", is_public=False)
    said = send_message(bob, game.slug, text="I know where you live.")
    first, later = (
        report_line(reader, game.slug, said.pk, reason="violence", shown=said.text) for reader in (alice, carol)
    )
    for report, made in ((first, [Measure.HIDE]), (later, [Measure.NONE])):
        sent: dict[str, Any] = {"measure": "none", "reason": "violence", "last": report.pk, "lines": [said.pk]}
        assert [each.measure for each in decide_case(judge, bob.pk, **sent)] == made
        report.refresh_from_db()
        assert report.is_upheld


@pytest.mark.parametrize(
    "measure",
    ["", "shout", "hide", "silence", "silence 2", "silence 9999999999999999999", "silence -1", "suspend", "suspend 0"],
)
def test_no_other_measure_is_taken(reported: PlayerReport, desk: Client, measure: str) -> None:
    assert decide(desk, reported, measure) == 400
    assert not Decision.objects.exists()


def test_everything_stands_in_the_record(bob: User, reported: PlayerReport, desk: Client) -> None:
    decide(desk, reported, "silence 1", words="Enough.")
    text = desk.get("/moderation/record/").content.decode()
    assert all(words in text for words in ("judith", "bob", "Ready phrases only", "Threats or violence", "Enough."))


def test_the_case_page_has_what_was_before(alice: User, reported: PlayerReport, desk: Client) -> None:
    decide(desk, reported, "warn", words="Once.")
    report_player(alice, "bob", reason="insult", words="Again!")
    text = desk.get(f"/moderation/cases/{reported.person_id}/").content.decode()
    assert all(words in text for words in ("Once.", "Again!", "I know where you live."))


def test_the_queue_costs_the_same_however_many_wait(
    alice: User, judge: User, desk: Client, query_count: QueryCount
) -> None:
    costs = []
    for number in range(6):
        person(f"player{number}")
        report_player(alice, f"player{number}", reason="spam")
        costs.append(query_count(desk, "/moderation/"))
    assert costs[0] == costs[-1]


def test_a_moderator_answers_for_the_reports_of_their_own_bot(
    bob: User, judge: User, desk: Client, alice: User
) -> None:
    report = report_player(make_bot(judge, "judiths-bot"), "bob", reason="insult")
    assert waiting_cases(judge) == []
    assert desk.get(f"/moderation/cases/{bob.pk}/").status_code == 404
    assert decide(desk, report, "warn") == 404
    report_player(alice, "bob", reason="insult")
    report_player(make_bot(alice, "alices-bot"), "bob", reason="insult")
    other = person("other")
    User.objects.filter(pk=other.pk).update(is_moderator=True)
    assert [case.reporters for case in waiting_cases(User.objects.get(pk=other.pk))] == [2]


def test_a_name_that_was_taken_away_is_given_to_no_bot_of_the_same_person(
    bob: User, desk: Client, log_in: LogIn, alice: User
) -> None:
    # Not the name of the log-in, which stays theirs.
    rename(bob, "Rudolf")
    report = report_player(alice, "Rudolf", reason="name")
    assert decide(desk, report, "rename") == 302
    answer = with_factor(User.objects.get(pk=bob.pk), log_in).post("/accounts/bots/", {"username": "Rudolf"})
    assert not User.objects.filter(username="Rudolf").exists()
    assert answer.status_code != 302


def test_a_silenced_person_sets_no_table_again_under_its_old_name(alice: User, bob: User) -> None:
    old = running(alice, bob, name="A rude name")
    resign(bob, old.slug)
    User.objects.filter(pk=alice.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    assert repeat_table(User.objects.get(pk=alice.pk), old.slug).game.name == ""
