"""The pages of puzzles: what to do, tries with and without scripts, hints in steps, and why the answer is right."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.puzzles.store_puzzles import store_puzzles
from games.models import PuzzleTry, Study
from games.puzzles.puzzle import ENDING, KINDS, PLACE_ALL, SHUT_OUT, WIN
from games.queries.puzzles.days import today_of
from games.rules import Placement, get_variant
from games.table import records
from games.words.puzzles.texts import answer_lines, margin_text, puzzle_task
from games.words.sentences import colour, placement_label
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.puzzles.samples import ALL, SAMPLES, in_order, wrong

pytestmark = pytest.mark.django_db

#: The days of the kinds, of which the last is today's.
BACK = {kind: len(KINDS) - 1 - index for index, kind in enumerate(KINDS)}


@pytest.fixture(autouse=True)
def days() -> None:
    """Store a puzzle of each kind, today's last."""
    for kind in KINDS:
        first = today_of(timezone.now()) - timedelta(days=len(KINDS) - 1)
        assert store_puzzles([(1, SAMPLES[kind])], source="bots", first=first)


def at(kind: str) -> str:
    return f"/puzzles/{today_of(timezone.now()) - timedelta(days=BACK[kind])}/"


def text_of(answer: Any) -> str:
    """Return what a page says, white space as one blank."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_the_list_has_todays_first_and_the_earlier_ones(client: Client) -> None:
    page = client.get("/puzzles/")
    said = text_of(page)
    assert said.index("Puzzle of the day") < said.index("Earlier puzzles")
    assert [f'href="{at(kind)}"' in page.content.decode() for kind in KINDS] == [True] * len(KINDS)
    assert client.get("/puzzles/today/").headers["Location"] == at(KINDS[-1])


def test_a_site_without_puzzles_says_so(client: Client) -> None:
    before = (today_of(timezone.now()) - timedelta(days=400)).isoformat()
    assert "No puzzles yet" in text_of(client.get("/puzzles/", {"until": before}))


@pytest.mark.parametrize("day", ["tomorrow", "2026-1-5", "20260105", "9999-12-31", "0001-01-01", "2026-02-30"])
def test_a_day_without_a_puzzle_is_not_found(client: Client, day: str) -> None:
    for path in (f"/puzzles/{day}/", f"/puzzles/?until={day}"):
        answer = client.get(path)
        if path.startswith("/puzzles/?") and answer.status_code == 200:
            continue
        assert (answer.status_code, answer.headers["X-Error-Code"]) == (404, "no-puzzle")


@pytest.mark.parametrize("kind", KINDS)
def test_a_visitor_solves_it_on_the_board(client: Client, kind: str) -> None:
    assert 'role="application"' in client.get(at(kind)).content.decode()
    placed: list[str] = []
    for move in in_order(SAMPLES[kind]):
        answer = client.post(
            f"{at(kind)}try/", {"placement": move, "placed": ";".join(placed)}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200
        placed.append(move)
    said = text_of(answer)
    assert "Solved." in said
    assert "Why this is the answer" in said
    assert answer.content.decode().count('id="game"') == 1
    assert ";".join(placed) in unescape(answer.headers["HX-Replace-Url"]).replace("%3A", ":").replace(
        "%2C", ","
    ).replace("%3B", ";")


def test_what_it_took_is_told_by_the_proof(client: Client) -> None:
    shut, proof = SAMPLES[SHUT_OUT], SAMPLES[SHUT_OUT].proof
    said = text_of(client.post(f"{at(SHUT_OUT)}try/", {"placement": shut.solutions[0][0]}))
    rivals = [colour(each) for each in shut.position.colours_in_play if each != shut.colour]
    who = rivals[0] if len(rivals) == 1 else "the others"
    assert f"Before it, {who} had {proof['before']} possible moves; after it, none." in said
    ending, proof = SAMPLES[ENDING], SAMPLES[ENDING].proof
    said = text_of(client.post(f"{at(ENDING)}try/", {"placement": ending.solutions[0][0]}))
    other = placement_label(Placement.parse(proof["other"], get_variant(ending.variant)))
    assert other in said
    assert "Best play goes on with" in said
    win, proof = SAMPLES[WIN], SAMPLES[WIN].proof
    said = text_of(client.post(f"{at(WIN)}try/", {"placement": win.solutions[0][0]}))
    other = placement_label(Placement.parse(proof["other"], get_variant(win.variant)))
    assert f"ends {margin_text(proof['margin'])}." in said
    assert f"No other move wins; the best of them, {other}, ends {margin_text(proof['next'])}." in said
    assert "Best play goes on with" in said


@pytest.mark.parametrize("kind", [ENDING, SHUT_OUT])
def test_the_words_know_whether_there_is_one_rival_or_several(kind: str) -> None:
    boards = {each.variant: each for each in ALL if each.kind == kind}
    found = set()
    for variant, puzzle in boards.items():
        said = " ".join([puzzle_task(puzzle), *answer_lines(puzzle)])
        # Colours are shut out, and sides play on.
        rivals = len(puzzle.position.colours_in_play if kind == SHUT_OUT else puzzle.position.seats) - 1
        assert ("the others" in said or "everyone out" in said) == (rivals > 1), (variant, said)
        found.add(rivals > 1)
    assert False in found


@pytest.mark.parametrize("kind", KINDS)
def test_the_pieces_that_can_be_placed_come_first_and_the_spent_ones_last(client: Client, kind: str) -> None:
    tray = read(client.get(at(kind))).find("form", class_="tray")
    slots = tray.find_all(class_="slot")
    ranks = [2 if slot.tag == "span" else 1 if "aria-disabled" in slot.attributes else 0 for slot in slots]
    assert ranks == sorted(ranks)
    assert {0, 2} <= set(ranks)


def test_a_wrong_placement_is_told_so_and_does_not_stay(client: Client) -> None:
    answer = client.post(f"{at(ENDING)}try/", {"placement": wrong(SAMPLES[ENDING])})
    assert answer.status_code == 200
    assert "Another placement leaves more at the end. Look again." in text_of(answer)
    assert 'name="placed" value=""' in answer.content.decode()


def test_the_only_winning_move_says_what_to_do_and_what_a_wrong_one_leaves(client: Client) -> None:
    said = text_of(client.get(at(WIN)))
    assert "The only winning move" in said
    assert re.search(r"Find the only move that wins for \w+, however the other side plays\.", said)
    answer = client.post(f"{at(WIN)}try/", {"placement": wrong(SAMPLES[WIN])})
    assert "Against the best play, that does not win. Look again." in text_of(answer)
    client.cookies["django_language"] = "fr"
    assert "Le seul coup gagnant" in text_of(client.get(at(WIN)))


def test_an_illegal_placement_gets_the_reason_of_the_board(client: Client) -> None:
    puzzle = SAMPLES[ENDING]
    taken = next(str(turn.placement) for turn in puzzle.position.history if turn.colour == puzzle.colour)
    answer = client.post(f"{at(ENDING)}try/", {"placement": taken})
    assert answer.status_code == 422
    assert 'class="fault"' in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()
    unread = client.post(f"{at(ENDING)}try/", {"placement": "nonsense"})
    assert unread.status_code == 400
    assert "could not be read" in text_of(unread)


def test_nonsense_beside_a_try_is_refused_and_never_breaks(client: Client) -> None:
    answer = SAMPLES[ENDING].solutions[0][0]
    for placed, level in (("x;y", "1"), (";;;", "-5"), ("1:a1" * 5000, "9" * 400), ("\x00", "é")):
        found = client.post(f"{at(ENDING)}try/", {"placement": answer, "placed": placed, "level": level})
        assert found.status_code in {200, 400, 422}
    assert client.get(at(ENDING), {"placed": "nonsense", "piece": "<b>"}).status_code in {200, 400}


def test_a_hint_after_what_cannot_be_placed_is_refused_and_not_noted(log_in: LogIn, alice: User) -> None:
    answer = log_in(alice).post(f"{at(ENDING)}hint/", {"level": "1", "placed": "no placement"})
    assert (answer.status_code, PuzzleTry.objects.exists()) == (400, False)


def test_hints_come_in_steps(client: Client) -> None:
    puzzle = SAMPLES[ENDING]
    answer = Placement.parse(puzzle.solutions[0][0], get_variant(puzzle.variant))
    said = [text_of(client.post(f"{at(ENDING)}hint/", {"level": str(level)})) for level in (1, 2, 3)]
    assert all("Take " in each for each in said)
    assert ["of the board." in each for each in said] == [False, True, True]
    assert [f"The answer is {placement_label(answer)}." in each for each in said] == [False, False, True]
    assert ["Why this is the answer" in each for each in said] == [False, False, True]


def test_an_address_tells_a_person_no_hint_that_they_have_not_taken(alice: User, client: Client, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(f"{at(ENDING)}hint/", {"level": "1"})
    assert "The answer is" in text_of(client.get(at(ENDING), {"level": "3"}))
    told = text_of(browser.get(at(ENDING), {"level": "3"}))
    assert "Take " in told
    assert "of the board." not in told
    assert "The answer is" not in told
    assert PuzzleTry.objects.get().hints == 1


def kept() -> Study:
    return Study.objects.get()


def analysed(page: Element) -> list[Element]:
    """Return the form that leads to the board of a study, none while the answer is not known."""
    return page.find_all("form", action="/studies/")


@pytest.mark.parametrize("kind", KINDS)
def test_once_the_answer_is_known_its_position_is_analysed_on_the_board_of_a_study(
    alice: User, log_in: LogIn, kind: str
) -> None:
    browser, puzzle = log_in(alice), SAMPLES[kind]
    browser.post(f"{at(kind)}hint/", {"level": "2"})
    assert analysed(read(browser.get(at(kind)))) == []
    [form] = analysed(read(browser.post(f"{at(kind)}hint/", {"level": "3"})))
    assert form.find("button").text == "Analyse this position"
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    there = browser.post(form["action"], sent)["Location"]
    board = read(browser.get(there))
    assert len(board.find_all("path", class_="piece")) == sum(
        turn.placement is not None for turn in puzzle.position.history
    )
    # The answer, and another placement beside it, are kept as two branches.
    answer = in_order(puzzle)[0]
    others = [str(each) for each in puzzle.position.legal_placements() if str(each) != answer]
    for text in (answer, *others[:1]):
        tried = {"move": str(len(puzzle.moves)), "branch": "0", "placement": text, "edition": str(kept().edition)}
        assert browser.post(f"{there}try/", tried).status_code == 302
    begun = [one.turn for one in records.stored(kept().record).varied if one.parent == 0]
    assert begun == [answer, *others[:1]]


def test_who_has_solved_it_may_analyse_it_on_another_day(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert analysed(read(browser.get(at(ENDING)))) == []
    solved = read(browser.post(f"{at(ENDING)}try/", {"placement": SAMPLES[ENDING].solutions[0][0]}))
    assert len(analysed(solved)) == len(analysed(read(browser.get(at(ENDING))))) == 1


def test_a_visitor_who_solved_it_becomes_a_guest_with_a_study_of_it(client: Client) -> None:
    [form] = analysed(read(client.post(f"{at(ENDING)}try/", {"placement": SAMPLES[ENDING].solutions[0][0]})))
    sent = {each["name"]: each["value"] for each in form.find_all("input", type="hidden")}
    there = client.post(form["action"], sent)["Location"]
    assert client.get(there).status_code == 200
    assert kept().owner.is_guest


def test_without_scripts_a_piece_lists_where_it_fits_and_a_button_tries_it(client: Client) -> None:
    puzzle = SAMPLES[ENDING]
    answer = puzzle.solutions[0][0]
    page = client.get(at(ENDING), {"piece": answer.partition(":")[0], "placed": ""}).content.decode()
    assert f'name="placement" value="{answer}"' in page
    assert 'name="placement" required' in " ".join(page.split())


def test_who_logs_in_after_a_try_without_scripts_comes_back_to_the_puzzle(client: Client) -> None:
    page = client.post(f"{at(ENDING)}try/", {"placement": wrong(SAMPLES[ENDING])}).content.decode()
    assert f'href="/accounts/login/?next={at(ENDING)}"' in page


def test_a_person_is_told_how_they_have_fared(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(f"{at(SHUT_OUT)}try/", {"placement": SAMPLES[SHUT_OUT].solutions[0][0]})
    browser.post(f"{at(PLACE_ALL)}try/", {"placement": wrong(SAMPLES[PLACE_ALL])})
    said = text_of(browser.get("/puzzles/"))
    assert "Solved at the first try" in said
    assert "Not solved yet" in said
    assert PuzzleTry.objects.filter(user=alice).count() == 2


def test_the_page_may_be_kept_for_times_without_a_network(alice: User, client: Client, log_in: LogIn) -> None:
    for browser in (log_in(alice), client):
        assert browser.get(at(ENDING)).headers["X-Keep"] == "page"
        assert browser.get("/puzzles/").headers["X-Keep"] == "page"
        assert "X-Keep" not in browser.get(at(ENDING), {"placed": ""}).headers
        assert "X-Keep" not in browser.get(at(ENDING), headers={"HX-Request": "true"}).headers
        assert "X-Keep" not in browser.post(f"{at(ENDING)}try/", {"placement": wrong(SAMPLES[ENDING])}).headers


@pytest.mark.parametrize("path", ["/", "/puzzles/", "/games/", at(ENDING)])
def test_pages_that_people_open_each_day_name_the_puzzle_for_the_device_to_keep(
    alice: User, client: Client, log_in: LogIn, path: str
) -> None:
    for browser in (log_in(alice), client):
        if path != "/games/" or browser is not client:
            assert f'data-puzzle="{at(KINDS[-1])}"' in browser.get(path).content.decode()
    assert 'data-puzzle=""' in client.get("/rules/").content.decode()


def test_it_is_french_for_who_reads_french(client: Client) -> None:
    client.cookies["django_language"] = "fr"
    said = text_of(client.post(f"{at(ENDING)}try/", {"placement": SAMPLES[ENDING].solutions[0][0]}))
    assert "Résolu." in said
    assert "Pourquoi c’est la réponse" in said


def test_the_first_page_leads_to_todays(client: Client) -> None:
    assert 'href="/puzzles/today/"' in client.get("/").content.decode()
