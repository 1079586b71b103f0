"""Variations that are added to a study, and what they are called."""

import pytest

from accounts.models import User
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.name_variation import name_variation
from games.actions.studies.share_study import share_study
from games.errors import BadRequest, NotSeated, Refused, WrongStatus
from games.models import Study, StudyComment
from games.rules import Position
from games.rules.records import GameRecord
from games.rules.records import read as read_record
from games.table import records
from games.table.texts.comments import CommentPlace
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.studies.test_comments import FIRST, SECOND, page_of, said, wrote
from tests.games.studies.test_comments import study as study

pytestmark = pytest.mark.django_db


def edition(study: Study) -> int:
    study.refresh_from_db()
    return study.edition


def another(*but: str) -> str:
    """Return a placement that could follow the first move of the study, none of these."""
    after = Position.start("duo").play(FIRST)
    return next(str(one) for one in after.legal_placements()[50:] if str(one) not in but)


def test_a_move_is_tried_at_any_position_and_becomes_a_variation(alice: User, study: Study, log_in: LogIn) -> None:
    browser, before = log_in(alice), records.stored(study.record)
    other = another(SECOND, before.varied[0].turn)
    form = page_of(browser, study, move=1).find("form", action=f"/studies/{study.slug}/variations/")
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    answer = browser.post(form["action"], {**sent, "placement": other})
    assert answer["Location"] == f"/studies/{study.slug}/?branch=3&move=2"
    kept = records.stored(Study.objects.get().record)
    assert [(one.parent, one.after, one.turn) for one in kept.varied] == [
        *((one.parent, one.after, one.turn) for one in before.varied),
        (0, 1, other),
    ]
    assert (kept.record, kept.comments) == (before.record, before.comments)
    assert len(page_of(browser, study, branch=3, move=2).find_all("li", class_="move")) == 2
    for kind in ("json", "blksgf"):
        read_again = read_record(browser.get(f"/studies/{study.slug}/record.{kind}").content)
        assert [one.turn for one in read_again.varied] == [one.turn for one in kept.varied]


def test_what_stands_there_already_is_not_kept_twice(alice: User, study: Study) -> None:
    varied = records.stored(study.record).varied
    seen = edition(study)
    for move, branch, turn, leads in (
        (0, 0, FIRST, CommentPlace(0, 1)),
        (1, 0, SECOND, CommentPlace(0, 2)),
        (1, 2, varied[0].turn, CommentPlace(1, 2)),
        (2, 1, varied[1].turn, CommentPlace(2, 3)),
    ):
        assert add_variation(alice, study.slug, move=move, branch=branch, placement=turn, edition=seen) == leads
    assert edition(study) == seen


def test_comments_stay_at_their_positions_when_a_variation_comes_before_them(
    alice: User, study: Study, log_in: LogIn
) -> None:
    wrote(alice, study, "At the end of the variation", move=3, branch=1)
    start = Position.start("duo")
    other = next(str(one) for one in start.legal_placements() if str(one) != FIRST)
    place = add_variation(alice, study.slug, move=0, placement=other, edition=edition(study))
    assert place == CommentPlace(1, 1)
    assert (StudyComment.objects.get().variation, StudyComment.objects.get().move) == (3, 3)
    browser = log_in(alice)
    assert said(page_of(browser, study, branch=3)) == ["At the end of the variation"]
    assert said(page_of(browser, study, branch=1)) == []
    comments = [one.comment for one in records.study_record(alice, study.slug).varied]
    assert comments == ["", "Instead", "alice: At the end of the variation"]


@pytest.mark.parametrize(
    ("typed", "status", "sentence"),
    [
        ("1:a1", 422, "corner"),
        ("nonsense", 400, "could not be read"),
        ("", 400, "could not be read"),
        ("pass", 400, "read"),
    ],
)
def test_what_the_rules_refuse_is_told_with_the_reason_and_stays_in_its_field(
    alice: User, study: Study, log_in: LogIn, typed: str, status: int, sentence: str
) -> None:
    sent = {"placement": typed, "move": "2", "edition": str(study.edition)}
    answer = log_in(alice).post(f"/studies/{study.slug}/variations/", sent)
    assert answer.status_code == status
    page = read(answer)
    assert sentence in page.find(id="vary-refusal").text
    assert page.find(id="vary-placement")["value"] == typed
    assert len(records.stored(Study.objects.get().record).varied) == 2


def test_a_variation_is_named_and_loses_its_name_again(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    form = page_of(browser, study, branch=1, move=2).find("form", action=f"/studies/{study.slug}/variations/name/")
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    assert form.find("input", id="variation-name")["value"] == "Instead"
    answer = browser.post(form["action"], {**sent, "name": " The calm <b>way</b> "})
    assert answer["Location"] == f"/studies/{study.slug}/?branch=1&move=2"
    page = page_of(browser, study, branch=1)
    assert "The calm <b>way</b>" in page.find(class_="study__variations").text
    name_variation(alice, study.slug, branch=1, name="", edition=edition(study))
    assert [one.comment for one in records.stored(Study.objects.get().record).varied] == ["Instead", ""]
    refused = browser.post(form["action"], {**sent, "name": "Stale"})
    assert refused.status_code == 409
    assert read(refused).find(id="variation-name")["value"] == "Stale"
    with pytest.raises(BadRequest):
        name_variation(alice, study.slug, branch=9, name="None", edition=edition(study))
    with pytest.raises(BadRequest):
        name_variation(alice, study.slug, branch=1, name="You fucking idiot", edition=edition(study))


def test_no_one_changes_the_variations_of_others_or_on_an_old_edition(
    alice: User, bob: User, study: Study, log_in: LogIn
) -> None:
    share_study(alice, study.slug, is_shared=True)
    seen = edition(study)
    with pytest.raises(NotSeated):
        add_variation(bob, study.slug, move=0, placement=FIRST, edition=seen)
    with pytest.raises(NotSeated):
        name_variation(bob, study.slug, branch=1, name="Mine", edition=seen)
    page = page_of(log_in(bob), study, branch=1)
    assert not page.find_all(id="vary")
    assert not page.find_all(id="variation-name")
    wrote(alice, study, "Something new", move=1)
    with pytest.raises(WrongStatus):
        add_variation(alice, study.slug, move=0, placement=FIRST, edition=seen)


def test_a_study_that_is_over_at_a_position_has_no_more_moves_there(alice: User) -> None:
    position = Position.start("duo")
    while not position.is_over:
        placements = position.legal_placements()
        position = position.play(placements[-1]) if placements else position.pass_turn()
    kept = create_study(alice, GameRecord.of(position))
    last = len(records.stored(kept.record).record.moves)
    with pytest.raises(BadRequest, match="over"):
        add_variation(alice, kept.slug, move=last, placement="1:a1", edition=kept.edition)
    with pytest.raises(Refused):
        add_variation(alice, kept.slug, move=0, placement="1:a1", edition=kept.edition)
