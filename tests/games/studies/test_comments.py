"""Comments in studies: written at any position, shown beside it, in files and to whom it concerns alone."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moderation.decide_case import decide_case
from games.actions.moderation.lift_decision import lift_decision
from games.actions.moderation.report_comment import report_comment
from games.actions.studies.create_study import create_study
from games.actions.studies.remove_comment import remove_comment
from games.actions.studies.share_study import share_study
from games.actions.studies.write_comment import write_comment
from games.errors import BadRequest, NotFound, NotSeated, TooMany, WrongStatus
from games.models import Decision, Measure, PlayerReport, Study, StudyComment
from games.rules import Position
from games.rules.records import GameRecord, VariedTurn
from games.rules.records import read as read_record
from games.table import records
from games.table.texts import comments
from games.table.texts.comments import CommentPlace
from tests.conftest import LogIn
from tests.games.moderation.conftest import judge as judge
from tests.games.moderation.conftest import with_factor
from tests.games.play.pages import Element, data, read
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db

FIRST, SECOND = "X:e9,e10,d10,f10,e11", "X:j4,j5,k5,i5,j6"


def tree() -> GameRecord:
    """Return a game of two moves, and what could have followed the first of them instead: two others."""
    after = Position.start("duo").play(FIRST)
    other = next(one for one in after.legal_placements() if str(one) != SECOND)
    next_one = after.play(other).legal_placements()[0]
    beside = (VariedTurn(0, 1, str(other), "Instead"), VariedTurn(1, 1, str(next_one)))
    return GameRecord.of(after.play(SECOND), comments={0: "Before all", 1: "A cross"}, varied=beside)


@pytest.fixture
def study(alice: User) -> Study:
    """Return a study of alice's with a variation of two moves."""
    return create_study(alice, tree(), title="The cross")


def wrote(user: User, study: Study, text: str, move: int, branch: int = 0) -> StudyComment:
    study.refresh_from_db()
    return write_comment(user, study.slug, move=move, branch=branch, text=text, edition=study.edition)


def page_of(browser: Client, study: Study, **query: int) -> Element:
    answer = browser.get(f"/studies/{study.slug}/", query)
    assert answer.status_code == 200
    return read(answer)


def said(page: Element) -> list[str]:
    """Return what the comments of a page say, in their order."""
    return [each.text for each in page.find_all(class_="said__text")]


def test_a_comment_is_written_at_any_position_and_stands_beside_its_move(
    alice: User, study: Study, log_in: LogIn
) -> None:
    browser = log_in(alice)
    for move, text in ((0, "At the beginning"), (1, "After one"), (2, "After two")):
        form = page_of(browser, study, move=move).find("form", action=f"/studies/{study.slug}/comments/")
        sent = {each["name"]: each["value"] for each in form.find_all("input")}
        assert sent["move"] == str(move)
        answer = browser.post(form["action"], {**sent, "text": text})
        assert answer["Location"] == f"/studies/{study.slug}/?move={move}"
    page = page_of(browser, study, move=1)
    assert said(page) == ["At the beginning", "After one", "After two"]
    assert ["After" in each.text for each in page.find_all("li", class_="move")] == [True, True]
    assert [who.find(class_="face").text for who in page.find_all(class_="said__who")] == ["A", "A", "A"]
    # Beside the board too, below what the record itself says there, and for the leaves that scripts turn.
    assert page.find(class_="comment").text == "A cross alice: After one"
    assert data(page, "comments")["2"] == "alice: After two"


def test_a_comment_on_a_variation_stands_there_alone(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    wrote(alice, study, "Both lead here", move=1, branch=2)
    kept = wrote(alice, study, "Only here", move=3, branch=1)
    assert (kept.variation, kept.move) == (2, 3)
    assert said(page_of(browser, study)) == ["Both lead here"]
    page = page_of(browser, study, branch=1, move=3)
    assert said(page) == ["Both lead here", "Only here"]
    assert page.find(class_="comment").text == "alice: Only here"


def test_what_was_written_is_in_both_files_and_read_again_whole(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    for text, move, branch in (("One\nand two", 1, 0), ("<b>Bold</b> \\] odd]", 3, 1), ("Before", 0, 0)):
        wrote(alice, study, text, move=move, branch=branch)
    for form in ("blksgf", "json"):
        found = read_record(browser.get(f"/studies/{study.slug}/record.{form}").content)
        assert dict(found.comments) == {0: "Before all\n\nalice: Before", 1: "A cross\n\nalice: One\nand two"}
        assert [one.comment for one in found.varied] == ["Instead", "alice: <b>Bold</b> \\] odd]"]
    again = create_study(alice, found)
    assert records.stored(again.record) == found


def test_a_text_is_kept_plain_and_shown_as_text(alice: User, study: Study, log_in: LogIn) -> None:
    link = "See https://example.org/ <script>alert(1)</script>"
    wrote(alice, study, f"\u202e  {link} \r\n\n\n\n second  line ", move=1)
    assert StudyComment.objects.get().text == f"{link}\n\nsecond line"
    answer = log_in(alice).get(f"/studies/{study.slug}/", {"move": 1}).content.decode()
    assert "<script>alert" not in answer
    assert 'href="https://example.org/"' not in answer


@pytest.mark.parametrize("text", ["", " \n ", "\u202e", "x" * 501, "\ue000", "You fucking idiot"])
def test_what_cannot_be_kept_is_refused_and_stays_in_its_field(
    alice: User, study: Study, log_in: LogIn, text: str
) -> None:
    answer = log_in(alice).post(
        f"/studies/{study.slug}/comments/", {"text": text, "move": "1", "edition": str(study.edition)}
    )
    assert answer.status_code == 400
    page = read(answer)
    assert page.find(id="write-refusal").text
    assert "open" in page.find(id="write").attributes
    assert page.find("textarea").text.strip() == " ".join(text.split())
    assert page.find(class_="scrub__slider")["value"] == "1"
    assert not StudyComment.objects.exists()


def test_who_has_not_seen_the_latest_change_is_told_and_keeps_the_text(
    alice: User, study: Study, log_in: LogIn
) -> None:
    seen = str(study.edition)
    first = wrote(alice, study, "From another tab", move=2)
    browser = log_in(alice)
    address = f"/studies/{study.slug}/comments/"
    answer = browser.post(address, {"text": "From this one", "move": "1", "edition": seen})
    assert answer.status_code == 409
    page = read(answer)
    assert "has been changed since" in page.find(id="write-refusal").text
    assert page.find("textarea").text == "From this one"
    # The page that says so is the present one: sent again, it is kept.
    again = {
        each["name"]: each["value"]
        for each in page.find("form", action=f"/studies/{study.slug}/comments/").find_all("input")
    }
    assert browser.post(address, {**again, "text": "From this one"}).status_code == 302
    with pytest.raises(WrongStatus):
        remove_comment(alice, study.slug, first.pk, edition=int(seen))
    assert StudyComment.objects.count() == 2


def test_a_second_tap_keeps_one_comment(alice: User, study: Study) -> None:
    seen = study.edition
    first, second = (write_comment(alice, study.slug, move=1, text="Once", edition=seen) for _tap in range(2))
    study.refresh_from_db()
    assert (first, StudyComment.objects.count(), study.edition) == (second, 1, seen + 1)


def test_the_same_words_at_another_position_are_no_second_tap(alice: User, study: Study) -> None:
    seen = study.edition
    first = write_comment(alice, study.slug, move=2, text="Good", edition=seen)
    with pytest.raises(WrongStatus):
        write_comment(alice, study.slug, move=2, branch=1, text="Good", edition=seen)
    assert [*StudyComment.objects.all()] == [first]


@pytest.mark.parametrize(("move", "branch"), [(3, 0), (-1, 0), (4, 1), (1, 3), (1, -1)])
def test_there_is_no_comment_where_there_is_no_position(alice: User, study: Study, move: int, branch: int) -> None:
    with pytest.raises(BadRequest, match="no such position"):
        write_comment(alice, study.slug, move=move, branch=branch, text="Where?", edition=study.edition)


def test_a_study_has_so_many_comments_and_no_more_than_its_files_have_room_for(
    alice: User, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(7):
        wrote(alice, study, f"{number}" + "x" * 499, move=1)
    with pytest.raises(BadRequest, match="no room"):
        wrote(alice, study, "8" + "x" * 499, move=1)
    wrote(alice, study, "x", move=2)
    assert len(records.study_record(alice, study.slug).comments[1]) > 3500
    monkeypatch.setattr(comments, "MAX_COMMENTS", 8)
    with pytest.raises(TooMany):
        wrote(alice, study, "y", move=2)


def test_no_one_writes_in_a_study_of_others_and_no_one_else_removes(
    alice: User, bob: User, study: Study, log_in: LogIn
) -> None:
    kept = wrote(alice, study, "Mine", move=1)
    for private in (True, False):
        share_study(alice, study.slug, is_shared=not private)
        for browser, codes in ((log_in(bob), (404, 404) if private else (403, 403)), (Client(), (302, 302))):
            sent = {"text": "Mine too", "move": "1", "edition": str(kept.pk)}
            found = (
                browser.post(f"/studies/{study.slug}/comments/", sent).status_code,
                browser.post(f"/studies/{study.slug}/comments/{kept.pk}/remove/", sent).status_code,
            )
            assert found == codes
    page = page_of(log_in(bob), study)
    assert said(page) == ["Mine"]
    assert not page.find_all(class_="write__form")
    assert not page.find_all("form", action=f"/studies/{study.slug}/comments/{kept.pk}/remove/")
    assert StudyComment.objects.count() == 1


def test_a_comment_is_removed_by_who_wrote_it(alice: User, study: Study, log_in: LogIn) -> None:
    kept, browser = wrote(alice, study, "Away with it", move=2), log_in(alice)
    address = f"/studies/{study.slug}/comments/{kept.pk}/remove/"
    form = page_of(browser, study).find("form", action=address)
    sent = {each["name"]: each["value"] for each in form.find_all("input")}
    assert browser.post(address, sent)["Location"] == f"/studies/{study.slug}/?move=2"
    assert not StudyComment.objects.exists()
    assert browser.post(address, sent).status_code == 404


def test_a_comment_of_another_study_is_not_removed_by_its_number(alice: User, bob: User, study: Study) -> None:
    own, kept = create_study(bob, tree()), wrote(alice, study, "Mine", move=1)
    with pytest.raises(NotFound):
        remove_comment(bob, own.slug, kept.pk, edition=own.edition)


def test_whoever_a_moderator_has_silenced_writes_nothing(alice: User, study: Study) -> None:
    User.objects.filter(pk=alice.pk).update(silenced_until=timezone.now() + timedelta(days=1))
    with pytest.raises(NotSeated) as refused:
        wrote(alice, study, "Nothing", move=1)
    assert refused.value.code == "silenced"


def test_a_comment_is_reported_hidden_everywhere_and_shown_again(
    alice: User, bob: User, judge: User, study: Study, log_in: LogIn
) -> None:
    kept = wrote(alice, study, "I know where you live.", move=1)
    share_study(alice, study.slug, is_shared=True)
    browser = log_in(bob)
    address = f"/studies/{study.slug}/comments/{kept.pk}/report/"
    assert page_of(browser, study).find_all("a", href=address)
    assert "I know where you live." in read(browser.get(address)).text
    assert browser.post(address, {"reason": "violence"})["Location"] == f"/studies/{study.slug}/?move=1"
    report = PlayerReport.objects.get()
    assert (report.person, report.shown, report.comment_key) == (alice, kept.text, kept.pk)
    decided = decide_case(
        judge, alice.pk, measure="none", reason="violence", last=report.pk, comments=[kept.pk, kept.pk + 1]
    )
    assert [(each.measure, each.shown) for each in decided] == [(Measure.HIDE, kept.text)]
    assert read(log_in(alice).get("/decisions/")).find("strong").text == "Comment hidden"
    for reader in (browser, log_in(alice), Client()):
        page = page_of(reader, study)
        assert said(page) == ["Hidden by a moderator."]
        assert "where you live" not in page.text
        assert "where you live" not in reader.get(f"/studies/{study.slug}/record.json").content.decode()
        assert reader.get(address).status_code in (302, 404)
    lift_decision(judge, Decision.objects.get().pk)
    assert said(page_of(browser, study)) == [kept.text]


def test_a_comment_that_is_hidden_already_is_hidden_by_no_second_decision(
    alice: User, bob: User, carol: User, judge: User, study: Study, log_in: LogIn
) -> None:
    kept = wrote(alice, study, "I know where you live.", move=1)
    share_study(alice, study.slug, is_shared=True)
    first, later = (report_comment(reader, study.slug, kept.pk, reason="violence") for reader in (bob, carol))
    sent: dict[str, Any] = {"measure": "none", "reason": "violence", "comments": [kept.pk]}
    decide_case(judge, alice.pk, last=first.pk, **sent)
    page = read(with_factor(judge, log_in).get(f"/moderation/cases/{alice.pk}/"))
    assert "This comment is hidden." in page.text
    assert not page.find_all("input", name="comment")
    decided = decide_case(judge, alice.pk, last=later.pk, **sent)
    assert [each.measure for each in decided] == [Measure.NONE]
    later.refresh_from_db()
    assert later.is_upheld, "its reporter reads that something was done"
    lift_decision(judge, Decision.objects.get(measure=Measure.HIDE).pk)
    assert said(page_of(log_in(bob), study)) == [kept.text]


def test_no_one_reports_themselves_or_what_they_are_not_shown(alice: User, bob: User, study: Study) -> None:
    kept = wrote(alice, study, "Mine", move=1)
    with pytest.raises(BadRequest):
        report_comment(alice, study.slug, kept.pk, reason="insult")
    with pytest.raises(NotFound):
        report_comment(bob, study.slug, kept.pk, reason="insult")


def test_comments_go_with_their_study_and_with_the_account(alice: User, study: Study) -> None:
    wrote(alice, study, "Mine", move=1)
    close_account(alice)
    assert not StudyComment.objects.exists()
    assert not Study.objects.exists()


def test_a_page_costs_as_many_queries_with_one_comment_as_with_many(
    alice: User, study: Study, log_in: LogIn, query_count: QueryCount
) -> None:
    browser, address = log_in(alice), f"/studies/{study.slug}/"
    wrote(alice, study, "One", move=1)
    few = query_count(browser, address)
    for number in range(20):
        wrote(alice, study, f"Another {number}", move=number % 3)
    assert query_count(browser, address) == few


def test_places_are_those_of_the_game_and_of_the_variation(study: Study) -> None:
    record = records.stored(study.record)
    assert comments.places_of(record, 0) == (CommentPlace(0, 0), CommentPlace(0, 1), CommentPlace(0, 2))
    assert comments.places_of(record, 1)[2:] == (CommentPlace(1, 2), CommentPlace(2, 3))
