"""The puzzle of a day, on a phone with scripts and without: hints, a wrong placement, the answer and why."""

from playwright.sync_api import expect

from games.bots.puzzles.shipped import FIRST_DAY, shipped_puzzles
from games.words.puzzles import texts
from tests.browser.people import PHONE, WIDER, People, Person

PUZZLE, DAY = next(shipped_puzzles()).puzzle, FIRST_DAY.isoformat()
ANSWER = PUZZLE.solutions[0][0]
WRONG = next(str(each) for each in PUZZLE.position.legal_placements() if str(each) != ANSWER)


def said(person: Person, sentence: str) -> None:
    expect(person.page.locator(".say")).to_contain_text(sentence)


def type_it(person: Person, text: str) -> None:
    field = person.page.get_by_label("Or type it")
    field.fill(text)
    field.press("Enter")


def test_a_visitor_takes_hints_is_told_what_is_wrong_and_solves_it(people: People) -> None:
    nina = people.arrive("nina", PHONE)
    nina.go(f"/puzzles/{DAY}/")
    assert nina.page.evaluate(WIDER) == 0
    nina.press("Hint: which piece")
    said(nina, "Take ")
    nina.press("Hint: where")
    said(nina, "of the board.")
    nina.choose(WRONG.partition(":")[0])
    nina.page.keyboard.press("n")
    expect(nina.page.locator(".actions__place")).to_be_enabled()
    type_it(nina, WRONG)
    said(nina, "ook again")
    said(nina, "of the board.")
    type_it(nina, ANSWER)
    said(nina, "Solved.")
    why = nina.page.get_by_role("heading", name="Why this is the answer")
    expect(why).to_be_visible()
    nina.page.reload()
    expect(why).to_be_visible()


def test_without_scripts_a_piece_lists_its_places_and_one_of_them_solves_it(people: People) -> None:
    nina = people.arrive("nina", PHONE, java_script_enabled=False)
    nina.go(f"/puzzles/{DAY}/")
    nina.choose(ANSWER.partition(":")[0])
    nina.page.locator(f'button[value="{ANSWER}"]').click()
    said(nina, "Solved.")
    nina.press("Analyse this position")
    expect(nina.page.get_by_role("heading", level=1)).to_contain_text(texts.puzzle_title(PUZZLE.kind))
    # The answer is one way on among others there.
    nina.choose(ANSWER.partition(":")[0])
    nina.page.locator(f'button[value="{ANSWER}"]').click()
    expect(nina.page.get_by_role("heading", name="This variation")).to_be_visible()
    nina.press("Undo")
    expect(nina.page.get_by_role("heading", name="This variation")).to_be_hidden()
    nina.press("Redo")
    expect(nina.page.get_by_role("heading", name="This variation")).to_be_visible()
