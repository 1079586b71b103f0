"""Changes of a study's variations are undone and redone, by all who write in it; what is written there stays."""

import random
from dataclasses import replace

import pytest
from django.test import Client

from accounts.erasure import close_account
from accounts.models import User
from games.actions.people.follow_person import follow_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.name_variation import name_variation
from games.actions.studies.remove_comment import remove_comment
from games.actions.studies.remove_variation import remove_variation
from games.actions.studies.undo_variation import undo_variation
from games.base.branches import MAX_CHANGES
from games.errors import GameError, NotFound, NotSeated, WrongStatus
from games.models import Study, StudyComment
from games.rules import Position
from games.rules.records import GameRecord, VariedTurn
from games.table import records
from games.table.studies import undoing, variations
from games.table.texts import comments
from games.table.texts.comments import CommentPlace
from tests.conftest import LogIn
from tests.games.play.pages import Element
from tests.games.studies.test_board import board, hidden
from tests.games.studies.test_comments import SECOND, wrote
from tests.games.studies.test_comments import study as study
from tests.games.studies.test_variations import another, edition

pytestmark = pytest.mark.django_db


def record(study: Study) -> str:
    study.refresh_from_db()
    return study.record


def undo(user: User, study: Study, *, is_redo: bool = False) -> CommentPlace:
    return undo_variation(user, study.slug, edition=edition(study), is_redo=is_redo)


def tried(user: User, study: Study, move: int = 1, branch: int = 0) -> CommentPlace:
    """Try a move that was not tried there before."""
    kept = records.stored(record(study))
    other = another(SECOND, *(one.turn for one in kept.varied))
    return add_variation(user, study.slug, move=move, branch=branch, placement=other, edition=study.edition)


def enabled(page: Element) -> list[str]:
    """Return which of the two buttons can be pressed."""
    buttons = [each for each in page.find_all("button") if "data-do" in each.attributes]
    return [each["data-do"] for each in buttons if "disabled" not in each.attributes]


def press(browser: Client, study: Study, what: str, query: str = "") -> str:
    """Press one of the two buttons, and return where it leads."""
    form = board(browser, study, query).find("form", id="undo")
    answer = browser.post(f"/studies/{study.slug}/board/undo/", {**hidden(form), "what": what})
    assert answer.status_code == 302
    return answer["Location"].partition("board/")[2]


def test_what_was_tried_and_removed_is_undone_and_redone_on_the_board(alice: User, study: Study, log_in: LogIn) -> None:
    browser, first = log_in(alice), record(study)
    assert enabled(board(browser, study)) == []
    there = tried(alice, study)
    second = record(study)
    assert enabled(board(browser, study)) == ["undo"]
    assert press(browser, study, "undo", f"?branch={there.variation}&move=2") == "?move=1"
    assert record(study) == first
    assert enabled(board(browser, study)) == ["redo"]
    assert press(browser, study, "redo") == f"?branch={there.variation}&move=2"
    assert record(study) == second
    remove_variation(alice, study.slug, branch=1, edition=edition(study))
    third = record(study)
    assert len(records.stored(third).varied) == 1
    assert press(browser, study, "undo") == "?branch=1&move=2"
    assert record(study) == second
    assert press(browser, study, "undo", "?move=0") == "?move=1"
    assert (record(study), enabled(board(browser, study))) == (first, ["redo"])
    assert [press(browser, study, "redo"), press(browser, study, "redo")] == ["?branch=3&move=2", "?move=1"]
    assert record(study) == third


def test_a_name_is_undone_too(alice: User, study: Study) -> None:
    before = record(study)
    name_variation(alice, study.slug, branch=1, name="A quiet way", edition=edition(study))
    after = record(study)
    assert undo(alice, study) == undo(alice, study, is_redo=True) == CommentPlace(2, 3)
    assert record(study) == after
    undo(alice, study)
    assert record(study) == before


def test_the_part_that_changes_is_answered_and_what_cannot_be_undone_says_so(
    alice: User, study: Study, log_in: LogIn
) -> None:
    browser, to = log_in(alice), f"/studies/{study.slug}/board/undo/"
    nothing = browser.post(to, {"what": "undo", "move": "1", "edition": str(study.edition)})
    assert (nothing.status_code, nothing["X-Error-Code"]) == (409, "nothing-to-undo")
    assert b"There is nothing to undo." in nothing.content
    there = tried(alice, study)
    sent = {"what": "undo", "branch": str(there.variation), "move": "2", "edition": str(edition(study))}
    part = browser.post(to, sent, headers={"HX-Request": "true"})
    assert (part.status_code, part["HX-Replace-Url"]) == (200, f"/studies/{study.slug}/board/?move=1")
    late = browser.post(to, sent)
    assert (late.status_code, late["X-Error-Code"]) == (409, "study-changed")
    again = browser.post(to, {**sent, "what": "redo", "edition": str(edition(study))})
    assert again.status_code == 302
    more = browser.post(to, {**sent, "what": "redo", "edition": str(edition(study))})
    assert (more.status_code, more["X-Error-Code"]) == (409, "nothing-to-redo")


def test_what_comes_after_is_undone_first_and_a_new_change_ends_redoing(alice: User, study: Study) -> None:
    stages = [record(study)]
    for _ in range(3):
        tried(alice, study)
        stages.append(record(study))
    for expected in reversed(stages[1:3]):
        undo(alice, study)
        assert record(study) == expected
    tried(alice, study)
    with pytest.raises(WrongStatus) as refused:
        undo(alice, study, is_redo=True)
    assert refused.value.code == "nothing-to-redo"


def test_a_move_that_someone_has_written_about_is_not_undone(alice: User, study: Study) -> None:
    there = tried(alice, study)
    comment = wrote(alice, study, "A strong one", move=2, branch=there.variation)
    kept = record(study)
    with pytest.raises(WrongStatus) as refused:
        undo(alice, study)
    assert (refused.value.code, record(study)) == ("has-comments", kept)
    remove_comment(alice, study.slug, comment.pk, edition=edition(study))
    assert undo(alice, study) == CommentPlace(0, 1)


def test_comments_stay_where_they_were_written(alice: User, study: Study) -> None:
    there = tried(alice, study)
    wrote(alice, study, "About the other one", move=2, branch=there.variation)
    turn = records.stored(record(study)).varied[there.variation - 1].turn
    remove_variation(alice, study.slug, branch=1, edition=edition(study))
    for is_redo in (False, True, False):
        undo(alice, study, is_redo=is_redo)
        comment = StudyComment.objects.get()
        assert records.stored(record(study)).varied[comment.variation - 1].turn == turn


def test_all_who_write_in_a_study_undo_its_last_change_whoever_made_it(
    alice: User, bob: User, carol: User, study: Study
) -> None:
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    before = record(study)
    tried(bob, study)
    undo(alice, study)
    assert record(study) == before
    undo(bob, study, is_redo=True)
    undo(bob, study)
    assert record(study) == before
    with pytest.raises(NotFound):
        undo(carol, study)


def test_no_editor_takes_away_by_it_what_the_owners_record_says(alice: User, bob: User) -> None:
    start = Position.start("duo")
    beside = (VariedTurn(0, 0, str(start.legal_placements()[0]), "Strong!\nAnd calm."),)
    study = create_study(alice, replace(GameRecord.of(start), varied=beside))
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    name_variation(alice, study.slug, branch=1, name="", edition=edition(study))
    remove_variation(alice, study.slug, branch=1, edition=edition(study))
    undo(alice, study)
    with pytest.raises(WrongStatus) as refused:
        undo(bob, study, is_redo=True)
    assert refused.value.code == "has-comments"
    undo(alice, study)
    assert records.stored(record(study)).varied == beside
    with pytest.raises(WrongStatus):
        undo(bob, study, is_redo=True)


def test_only_the_latest_changes_are_kept(alice: User, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    stages = []
    for _ in range(MAX_CHANGES + 3):
        stages.append(record(study))
        name_variation(alice, study.slug, branch=1, name=f"Number {len(stages)}", edition=edition(study))
    for stage in reversed(stages[3:]):
        undo(alice, study)
        assert record(study) == stage
    with pytest.raises(WrongStatus):
        undo(alice, study)
    monkeypatch.setattr(undoing, "MAX_CHANGED", 1)
    remove_variation(alice, study.slug, branch=1, edition=edition(study))
    with pytest.raises(WrongStatus):
        undo(alice, study)


def test_what_can_be_undone_goes_with_the_account_of_who_may_be_named_in_it(
    alice: User, bob: User, study: Study
) -> None:
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    for name in ("What bob found", "A quiet way"):
        name_variation(alice, study.slug, branch=1, name=name, edition=edition(study))
    close_account(bob)
    assert ("bob" in record(study), study.changes) == (False, {})
    with pytest.raises(WrongStatus):
        undo(alice, study)


def test_who_may_write_nothing_brings_no_name_back(alice: User, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("A quiet way", ""):
        name_variation(alice, study.slug, branch=1, name=name, edition=edition(study))

    def silence(_user: User, text: str, _now: object) -> None:
        if text:
            raise NotSeated("silenced", code="silenced")

    monkeypatch.setattr("games.actions.studies.undo_variation.check_may_write", silence)
    with pytest.raises(NotSeated):
        undo(alice, study)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_changed_undoing_leads_back_and_redoing_on(alice: User, study: Study, seed: int) -> None:
    """Against a naive history: a list of whole records, and where in it the study is."""
    rng, history, at = random.Random(seed), [record(study)], 0
    for _ in range(40):
        kept, what = records.stored(record(study)), rng.choice(["add", "add", "add", "name", "remove", "undo", "redo"])
        number = rng.randint(0, len(kept.varied))
        line = len(comments.places_of(kept, number))
        try:
            if what == "add":
                place = comments.place_at(kept, number, rng.randrange(line))
                there = variations.settled(_position(kept, place))
                text = str(there.placement(there.nth_legal_id(rng.randrange(there.legal_count()))))
                add_variation(alice, study.slug, move=place.move, branch=number, placement=text, edition=edition(study))
            elif what == "name":
                name = rng.choice(["", "One", "Another"])
                name_variation(alice, study.slug, branch=number, name=name, edition=edition(study))
            elif what == "remove":
                remove_variation(alice, study.slug, branch=number, edition=edition(study))
            else:
                undo(alice, study, is_redo=what == "redo")
        except GameError:
            is_at_its_end = at == (0 if what == "undo" else len(history) - 1)
            assert is_at_its_end if what in ("undo", "redo") else number == 0
            continue
        if what in ("undo", "redo"):
            at += 1 if what == "redo" else -1
        elif record(study) != history[at]:
            history, at = [*history[: at + 1], study.record], at + 1
        assert record(study) == history[at]


def _position(kept: GameRecord, place: CommentPlace) -> Position:
    turns = kept.line(place.variation)[: place.move] if place.variation else kept.record.moves[: place.move]
    position = kept.start()
    for turn in turns:
        position = position.pass_turn() if turn == "pass" else position.play(turn)
    return position
