"""The board of a study: moves are tried there by hand, and kept as variations; what was tried can be removed."""

from dataclasses import replace

import pytest
from django.test import Client

from accounts.models import User
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.remove_comment import remove_comment
from games.actions.studies.remove_variation import remove_variation
from games.actions.studies.share_study import share_study
from games.errors import BadRequest, NotSeated, WrongStatus
from games.models import Study, StudyComment
from games.rules import Position
from games.rules.records import GameRecord, VariedTurn
from games.table import records
from games.table.texts.comments import CommentPlace
from games.words import sentences
from tests.conftest import LogIn
from tests.games.play.pages import Element, data, read
from tests.games.studies.test_comments import FIRST, SECOND, wrote
from tests.games.studies.test_comments import study as study
from tests.games.studies.test_variations import another, edition
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db


def board(browser: Client, study: Study, query: str = "") -> Element:
    answer = browser.get(f"/studies/{study.slug}/board/{query}")
    assert answer.status_code == 200
    return read(answer)


def hidden(form: Element) -> dict[str, str]:
    """Return what a form of the board sends beside what is tried."""
    fields = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    return {name: value for name, value in fields.items() if name not in ("csrfmiddlewaretoken", "placement")}


def ways(page: Element) -> dict[str, str]:
    """Return where the buttons and keys lead, by their names."""
    links = [each for each in page.find_all("a") if {"data-go", "href"} <= each.attributes.keys()]
    return {each["data-go"]: each["href"].partition("?")[2] for each in links}


def test_the_study_leads_to_its_board_at_the_move_shown(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    shown = read(browser.get(f"/studies/{study.slug}/?branch=1&move=2"))
    form = shown.find("form", action=f"/studies/{study.slug}/board/")
    assert hidden(form) == {"branch": "1", "move": "2"}
    page = board(browser, study, "?branch=1&move=2")
    assert page.find("a", class_="head__back")["href"] == f"/studies/{study.slug}/?branch=1&move=2"
    assert len(page.find_all("path", class_="piece")) == 2
    there = Position.start("duo").play(FIRST).play(records.stored(study.record).varied[0].turn)
    position = data(page, "position")
    assert (position["toPlay"], [*position["colours"]]) == (there.colour, [there.colour])


def test_a_piece_placed_on_the_board_is_a_variation_of_the_study(alice: User, study: Study, log_in: LogIn) -> None:
    browser, other = log_in(alice), another(SECOND, records.stored(study.record).varied[0].turn)
    to = f"/studies/{study.slug}/board/try/"
    sent = hidden(board(browser, study, "?move=1").find("form", id="place"))
    answer = browser.post(to, {**sent, "placement": other})
    assert (answer.status_code, answer["Location"]) == (302, f"/studies/{study.slug}/board/?branch=3&move=2")
    assert records.stored(Study.objects.get().record).varied[2].turn == other
    page = board(browser, study, "?branch=3&move=2")
    assert len(page.find("ol", class_="branches__line").find_all("a", class_="tried")) == 1
    then = Position.start("duo").play(FIRST).play(other)
    part = browser.post(
        to,
        {**hidden(page.find("form", id="place")), "placement": str(then.legal_placements()[3])},
        headers={"HX-Request": "true"},
    )
    assert (part.status_code, part["HX-Replace-Url"]) == (200, f"/studies/{study.slug}/board/?branch=4&move=3")
    assert len(read(part).find_all("path", class_="piece")) == 3


def test_what_the_rules_refuse_is_told_on_the_board_with_the_reason_and_the_cells(
    alice: User, study: Study, log_in: LogIn
) -> None:
    sent = {"placement": "1:a1", "move": "2", "edition": str(study.edition)}
    answer = log_in(alice).post(f"/studies/{study.slug}/board/try/", sent)
    page = read(answer)
    assert answer.status_code == 422
    assert "corner" in page.find(class_="say__notice").text
    assert page.find("path", class_="fault")
    assert len(records.stored(Study.objects.get().record).varied) == 2
    stale = log_in(alice).post(f"/studies/{study.slug}/board/try/", {**sent, "edition": "7"})
    assert (stale.status_code, stale["X-Error-Code"]) == (409, "study-changed")
    assert hidden(read(stale).find("form", id="place"))["edition"] == str(study.edition)


def test_the_buttons_lead_along_the_game_and_its_variations(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert ways(board(browser, study, "?move=0")) == {"forward": "move=1", "last": "move=2"}
    assert ways(board(browser, study, "?move=1")) == {
        "back": "move=0",
        "forward": "move=2",
        "first": "move=0",
        "last": "move=2",
    }
    assert ways(board(browser, study, "?branch=1&move=2")) == {
        "back": "move=1",
        "forward": "branch=2&move=3",
        "first": "move=0",
        "last": "move=2",
        "up": "move=2",
    }
    beside = board(browser, study, "?move=1").find("ul", class_="branches__line").find_all("a")
    assert [each["href"].partition("?")[2] for each in beside] == ["move=2", "branch=1&move=2"]


def test_the_games_own_move_leads_to_what_was_tried_in_its_place_and_that_back_to_it(
    alice: User, study: Study, log_in: LogIn
) -> None:
    browser = log_in(alice)
    own = board(browser, study, "?move=2")
    assert ways(own) == {"back": "move=1", "first": "move=0", "down": "branch=1&move=2"}
    here = own.find("div", class_="branches__here")
    tried = here.find("ul", class_="branches__line").find_all("a")
    assert [each["href"].partition("?")[2] for each in tried] == ["move=2", "branch=1&move=2"]
    assert [each.attributes.get("aria-current") for each in tried] == ["true", None]
    assert "Instead" in tried[1].text
    assert ways(board(browser, study, "?branch=1&move=2"))["up"] == "move=2"
    # Nothing else was tried in place of the first move.
    assert not board(browser, study, "?move=1").find_all("div", class_="branches__here")


def test_passes_that_make_themselves_are_gone_through_with_the_move_before_them(alice: User, log_in: LogIn) -> None:
    position, passed = Position.start("duo"), 0
    while not position.is_over:
        found = position.legal_placements()
        passed += not found
        position = position.play(found[0]) if found else position.pass_turn()
    kept = create_study(alice, GameRecord.of(position))
    browser, turns = log_in(alice), records.stored(kept.record).record.moves
    assert passed
    place, seen = "move=0", []
    while place := ways(board(browser, kept, f"?{place}")).get("forward", ""):
        seen.append(int(place.removeprefix("move=")))
    assert [turns[number - 1] == "pass" for number in seen] == [False] * (len(turns) - passed)
    last = board(browser, kept)
    assert not last.find_all("button", class_="slot")
    over = browser.post(
        f"/studies/{kept.slug}/board/try/", {"placement": "1:a1", "move": str(len(turns)), "edition": "1"}
    )
    assert (over.status_code, over["X-Error-Code"]) == (400, "game-over")


def test_without_scripts_a_piece_of_the_tray_lists_where_it_fits(alice: User, study: Study, log_in: LogIn) -> None:
    browser = log_in(alice)
    page = board(browser, study, "?move=1&piece=V3")
    form = next(each for each in page.find_all("form") if each.find_all("ul", class_="branches__places"))
    first = form.find_all("button")[0]["value"]
    answer = browser.post(form["action"], {**hidden(form), "placement": first})
    assert answer["Location"] == f"/studies/{study.slug}/board/?branch=3&move=2"


def test_a_move_is_removed_with_all_that_follows_it(alice: User, study: Study, log_in: LogIn) -> None:
    browser, to = log_in(alice), f"/studies/{study.slug}/board/remove/"
    other = another(SECOND, records.stored(study.record).varied[0].turn)
    add_variation(alice, study.slug, move=1, placement=other, edition=edition(study))
    wrote(alice, study, "About the other one", move=2, branch=3)
    kept = StudyComment.objects.get()
    page = board(browser, study, "?branch=1&move=2")
    answer = browser.post(to, hidden(page.find("form", action=to)))
    assert answer["Location"] == f"/studies/{study.slug}/board/?move=1"
    left = records.stored(Study.objects.get().record)
    assert [(one.parent, one.after, one.turn) for one in left.varied] == [(0, 1, other)]
    kept.refresh_from_db()
    assert (kept.variation, kept.move) == (1, 2)
    gone = browser.post(to, hidden(page.find("form", action=to)))
    assert (gone.status_code, gone["X-Error-Code"]) == (409, "study-changed")


def test_a_variation_is_named_on_the_board(alice: User, study: Study, log_in: LogIn) -> None:
    browser, to = log_in(alice), f"/studies/{study.slug}/variations/name/"
    form = board(browser, study, "?branch=1&move=2").find("form", action=to)
    answer = browser.post(to, {**hidden(form), "name": "A quiet way"})
    assert answer["Location"] == f"/studies/{study.slug}/board/?branch=1&move=2"
    named = board(browser, study, "?branch=1&move=2")
    assert "A quiet way" in [each.text for each in named.find_all("h2")]
    assert named.find(id="branch-name")["value"] == "A quiet way"
    late = browser.post(to, {**hidden(form), "name": "Another"})
    assert (late.status_code, late["X-Error-Code"]) == (409, "study-changed")
    assert hidden(read(late).find("form", id="place"))["edition"] == str(edition(study))


def test_the_last_move_of_a_variation_is_removed_alone(alice: User, study: Study) -> None:
    first = records.stored(study.record).varied[0]
    assert remove_variation(alice, study.slug, branch=2, edition=edition(study)) == CommentPlace(1, 2)
    assert records.stored(Study.objects.get().record).varied == (first,)
    for number in (0, 2, -1):
        with pytest.raises(BadRequest):
            remove_variation(alice, study.slug, branch=number, edition=edition(study))


def test_moves_that_someone_has_written_about_stay_until_the_comments_are_removed(
    alice: User, study: Study, log_in: LogIn
) -> None:
    comment = wrote(alice, study, "At the end", move=3, branch=2)
    sent = {"branch": "1", "move": "2", "edition": str(edition(study))}
    answer = log_in(alice).post(f"/studies/{study.slug}/board/remove/", sent)
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "has-comments")
    assert "Remove the comments first." in read(answer).find(class_="say__notice").text
    assert len(records.stored(Study.objects.get().record).varied) == 2
    remove_comment(alice, study.slug, comment.pk, edition=edition(study))
    remove_variation(alice, study.slug, branch=1, edition=edition(study))
    assert records.stored(Study.objects.get().record).varied == ()


def test_only_those_who_write_in_the_study_come_to_its_board(
    alice: User, bob: User, study: Study, log_in: LogIn
) -> None:
    browser, path = log_in(bob), f"/studies/{study.slug}/board/"
    assert browser.get(path).status_code == 404
    share_study(alice, study.slug, is_shared=True)
    for answer in (browser.get(path), browser.post(f"{path}remove/", {"branch": "1", "edition": str(edition(study))})):
        assert (answer.status_code, answer["X-Error-Code"]) == (403, "not-editor")
    assert not read(browser.get(f"/studies/{study.slug}/")).find_all("form", action=path)
    with pytest.raises(NotSeated):
        remove_variation(bob, study.slug, branch=1, edition=edition(study))
    with pytest.raises(WrongStatus):
        remove_variation(alice, study.slug, branch=1, edition=edition(study) - 1)


def test_the_board_costs_as_many_queries_with_many_variations_as_with_few(
    alice: User, study: Study, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    few = query_count(browser, f"/studies/{study.slug}/board/?move=1")
    varied = records.stored(study.record).varied
    for _ in range(5):
        other = another(SECOND, *(one.turn for one in varied))
        add_variation(alice, study.slug, move=1, placement=other, edition=edition(study))
        varied = records.stored(Study.objects.get().record).varied
    assert len(varied) == 7
    assert query_count(browser, f"/studies/{study.slug}/board/?move=1") == few


def test_a_move_goes_with_the_passes_that_made_themselves_around_it(alice: User) -> None:
    stages = [Position.start("duo")]
    while stages[-1].has_legal():
        stages.append(stages[-1].play(stages[-1].legal_placements()[0]))
    # The last placement leaves the other colour none, which passes by itself; then the first colour goes on.
    placed, then = stages[-1].history[-1].placement, stages[-1].pass_turn().legal_placements()[0]
    for before, placement, turns in ((stages[-2], str(placed), 2), (stages[-1], str(then), 2)):
        kept = create_study(alice, GameRecord.of(before))
        move = len(before.history)
        there = add_variation(alice, kept.slug, move=move, placement=placement, edition=1)
        varied = records.stored(Study.objects.get(pk=kept.pk).record).varied
        assert (there.move >= move + turns, "pass" in [one.turn for one in varied]) == (True, True)
        # What was shown last is taken back whole: a board on which nothing changes would have been left else.
        assert remove_variation(alice, kept.slug, branch=there.variation, edition=2) == CommentPlace(0, move)
        assert records.stored(Study.objects.get(pk=kept.pk).record).varied == ()


def test_what_a_file_says_of_a_move_at_length_is_not_its_name(alice: User, log_in: LogIn) -> None:
    turn, other = (str(each) for each in Position.start("duo").legal_placements()[:2])
    long, short = "This is where the whole game was decided. " * 20, "The quiet one"
    game = replace(
        GameRecord.of(Position.start("duo")), varied=(VariedTurn(0, 0, turn, long), VariedTurn(0, 0, other, short))
    )
    kept = create_study(alice, game)
    page = board(log_in(alice), kept, "?branch=1&move=1")
    assert not page.find("ol", class_="branches__line").find_all("b")
    page = board(log_in(alice), kept, "?branch=2&move=1")
    assert [each.text for each in page.find("ol", class_="branches__line").find_all("b")] == [short]


def test_of_a_resignation_it_is_said_whose_it_was_and_not_whose_turn(alice: User, log_in: LogIn) -> None:
    after = Position.start("duo").play(FIRST)
    kept = create_study(alice, GameRecord.of(after.retire(0), varied=(VariedTurn(0, 1, SECOND),)))
    beside = board(log_in(alice), kept, "?move=1").find("ul", class_="branches__line").find_all("a")
    left, other = (sentences.colour(own[0]) for own in after.seats)
    assert [each["title"].partition(":")[0] for each in beside] == [left, other]
    assert beside[0]["title"] == f"{left}: resigned"
