"""The puzzle of a day, on a phone with scripts and without, by keys, in words and without a network."""

import re

from playwright.sync_api import expect

from games.bots.puzzles.shipped import FIRST_DAY, shipped_puzzles
from games.words.puzzles import texts
from tests.browser.people import DESK, PHONE, WIDER, People, Person
from tests.browser.test_offline import await_kept, await_true, puzzle_of_today

PUZZLE, DAY = next(shipped_puzzles()).puzzle, FIRST_DAY.isoformat()
ANSWER = PUZZLE.solutions[0][0]
WRONG = next(str(each) for each in PUZZLE.position.legal_placements() if str(each) != ANSWER)

#: The outline of a placement in the hand, by its piece and the columns and rows of its cells.
OUTLINE = """([piece, cells]) => {
    const { pieces, column, row, height } = JSON.parse(document.getElementById("shapes").textContent);
    const [left, low] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    const has = (form, [x, y]) => form.some((point) => point[0] === x - left && point[1] === y - low);
    const form = pieces[piece].forms.findIndex((each) => cells.every((cell) => has(each, cell)));
    return `M${column * left} ${row * (height - low)}${pieces[piece].outlines[form]}`;
}"""


#: Whether the device keeps a page, and each file that it names.
IS_WHOLE = """async (path) => {
    const page = await (await caches.match(path))?.text();
    const files = await caches.open("files-1");
    const named = [...(page ?? "").matchAll(/(?:href|src)="(\\/[^"?#]+\\.[0-9a-f]{12}\\.[a-z0-9]+)"/g)];
    for (const [, file] of named) if (!(await files.match(file, { ignoreVary: true }))) return false;
    return named.length > 0;
}"""


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


def test_by_keys_alone_the_piece_is_taken_turned_moved_and_placed(people: People) -> None:
    nina = people.arrive("nina", DESK)
    nina.go(f"/puzzles/{DAY}/")
    keys, (piece, _colon, cells) = nina.page.keyboard, ANSWER.partition(":")
    points = [[ord(cell[0]) - ord("a"), int(cell[1:]) - 1] for cell in cells.split(",")]
    wanted = nina.page.evaluate(OUTLINE, [piece, points])
    keys.press("/")
    keys.type(piece)
    keys.press("Enter")
    held = nina.page.locator("#ghost .ghost__shape")
    expect(held).to_be_visible()
    # Turned and moved about, then from one place where it fits to the next.
    for key in ("r", "f", "ArrowUp", "ArrowLeft"):
        keys.press(key)
    fits = sum(each.piece == piece for each in PUZZLE.position.legal_placements())
    for _ in range(fits + 1):
        keys.press("n")
        if held.get_attribute("d") == wanted:
            break
    expect(held).to_have_attribute("d", wanted)
    keys.press("Enter")
    said(nina, "Solved.")
    expect(nina.page.get_by_role("heading", name="Why this is the answer")).to_be_visible()


def test_by_ear_it_is_told_where_a_piece_fits_and_whether_the_answer_is_right(people: People) -> None:
    nina = people.arrive("nina", PHONE)
    nina.go(f"/puzzles/{DAY}/")
    # The first control after the skip link.
    nina.page.locator("body").press("Tab")
    nina.page.keyboard.press("Tab")
    expect(nina.page.get_by_role("button", name="Play without the board", exact=True)).to_be_focused()
    nina.page.keyboard.press("Enter")
    heard = nina.page.get_by_role("status")
    expect(nina.page.get_by_role("grid", name="Board")).to_be_visible()
    expect(nina.page.locator("#board")).to_have_count(0)
    assert nina.page.evaluate(WIDER) == 0
    nina.page.get_by_role("link", name=re.compile(f"^{re.escape(ANSWER.partition(':')[0])}\\b.*place")).press("Enter")
    expect(heard.filter(has_text=re.compile(r": places 1 to \d+ of \d+"))).to_have_count(1)
    for move, told in ((WRONG, "ook again"), (ANSWER, "Solved.")):
        field = nina.page.get_by_role("textbox", name="Move")
        field.fill(move)
        field.press("Enter")
        expect(heard.filter(has_text=told)).to_have_count(1)
    expect(nina.page.get_by_role("heading", name="Why this is the answer")).to_be_visible()


def go_offline_to_todays(person: Person) -> None:
    """Once the device keeps it lose the network, and open the puzzle of today by the link that leads there."""
    await_kept(person, puzzle_of_today())
    await_true(person, IS_WHOLE, puzzle_of_today())
    person.lose_network()
    person.go("/puzzles/today/")
    expect(person.page.locator(".told")).to_contain_text("You are offline. Last updated: just now.")
    assert person.path == puzzle_of_today()


def test_a_visitor_of_the_first_page_has_the_puzzle_of_the_day_without_a_network(people: People) -> None:
    nina = people.arrive_by_wire("nina", PHONE)
    nina.go("/")
    go_offline_to_todays(nina)
    assert nina.page.evaluate(WIDER) == 0
    # The board is there, and so are the piece in the hand and the reasons against a place.
    nina.choose(nina.playable()[0])
    expect(nina.page.locator("#ghost .ghost__shape")).to_be_visible()
    nina.page.locator(".actions__place").click()
    expect(nina.page.get_by_text("This needs the network. Try again once you are online.")).to_be_in_viewport()
    # What else is asked for leads to it.
    nina.go("/rules/")
    link = nina.page.locator("a.list__title")
    expect(link).to_have_attribute("href", puzzle_of_today())
    expect(link).to_contain_text("Puzzle of")
    link.click()
    nina.find_network()
    expect(nina.page.locator(".told")).to_have_count(0)
    nina.page.wait_for_load_state()
    nina.press("Hint: which piece")
    said(nina, "Take ")


def test_a_browser_that_wakes_the_worker_by_itself_has_the_puzzle_of_the_day(people: People) -> None:
    nina = people.arrive_by_wire("nina", PHONE)
    browser = nina.context.new_cdp_session(nina.page)
    told: dict[str, str] = {}
    browser.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: told.update({each["scopeURL"]: each["registrationId"] for each in event["registrations"]}),
    )
    browser.send("ServiceWorker.enable")
    nina.go("/")
    await_kept(nina, puzzle_of_today())
    # As on the day after, on which the site was not opened yet.
    delete = "async (path) => (await caches.open('pages-1-none')).delete(path)"
    assert nina.page.evaluate(delete, puzzle_of_today())
    wake = {"origin": nina.url, "registrationId": told[f"{nina.url}/"], "tag": "puzzle"}
    browser.send("ServiceWorker.dispatchPeriodicSyncEvent", wake)
    await_kept(nina, puzzle_of_today())


def test_a_player_has_it_too_beside_their_games_and_a_visitor_after_them_has_their_own(people: People) -> None:
    alice = people.arrive_by_wire("alice", PHONE)
    alice.sign_up()
    go_offline_to_todays(alice)
    alice.find_network()
    expect(alice.page.locator(".told")).to_have_count(0)
    alice.page.wait_for_load_state()
    alice.go("/accounts/logout/")
    alice.page.locator("main form button").last.click()
    alice.page.wait_for_url(re.compile(r"/$"))
    go_offline_to_todays(alice)
    expect(alice.page.locator("html")).to_have_attribute("data-login", "")


def test_a_try_that_does_not_reach_the_site_says_that_it_needs_the_network(people: People) -> None:
    nina = people.arrive_by_wire("nina", PHONE)
    nina.go(f"/puzzles/{DAY}/")
    nina.choose(nina.playable()[0])
    nina.lose_network()
    nina.page.locator(".actions__place").click()
    said(nina, "This needs the network. Try again once you are online.")
