"""A whole game by ear and by keys alone: roles and names, the Tab key, Enter and typing; no picture, no mouse."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.people import PHONE, People, Person

# Keeps whatever the polite region has ever said.
LISTEN = """
() => {
  const heard = (window.heard = []);
  const region = document.querySelector("#announce");
  const watcher = new MutationObserver(() => heard.push(region.textContent.trim()));
  watcher.observe(region, {childList: true, characterData: true, subtree: true});
}
"""
LONGEST = 150
# What happens by itself, short; a question's answer is as long as the answer.
EVENT = re.compile(" placed | passed|'s turn|your turn|The game is over")
MOST_STOPS = 60


class Listener:
    """Somebody who plays by ear: finds things by role and name, and has a keyboard."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page

    def switch_on(self) -> None:
        """Reach the first control after the skip link with the Tab key, and press it."""
        self.page.locator("body").press("Tab")
        self.page.keyboard.press("Tab")
        expect(self.page.get_by_role("button", name="Play without the board", exact=True).first).to_be_focused()
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("button", name="Show the board", exact=True)).to_have_count(1)
        # Before its scripts run, the page sends what is typed as any form and shows another page.
        self.page.wait_for_load_state()
        self.page.evaluate(LISTEN)

    def heard(self) -> list[str]:
        """Return all that has been said aloud so far."""
        return list(self.page.evaluate("() => window.heard"))

    def hears(self, sentence: str | re.Pattern[str]) -> None:
        """Wait until that is the last thing said."""
        expect(self.page.get_by_role("status").filter(has_text=sentence)).to_have_count(1)

    def box(self, name: str) -> Locator:
        return self.page.get_by_role("textbox", name=name)

    def go_to(self, target: Locator) -> None:
        """Press the Tab key until that has the focus."""
        for _ in range(MOST_STOPS):
            if target.evaluate("target => target === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {target}")

    def type_in(self, name: str, text: str) -> None:
        """Go to a field by the Tab key, write, and press Enter."""
        self.go_to(self.box(name))
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def is_over(self) -> bool:
        return self.page.get_by_role("table", name="Final scores").count() > 0

    def is_my_turn(self) -> bool:
        return self.page.get_by_role("heading", name=re.compile("^Possible moves")).count() > 0

    def a_place(self) -> str:
        """Open the list of the first piece that fits, and return its first place as its button says it."""
        self.go_to(self.page.get_by_role("region", name=re.compile("^Possible moves")).get_by_role("link").first)
        self.page.keyboard.press("Enter")
        self.hears(re.compile(r": places 1 to \d+ of \d+"))
        return self.places().first.inner_text()

    def places(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile(r"^(Piece )?\w+ at \w+"))

    def play(self) -> str:
        """Ask which pieces fit, hear a place of one said back and press Enter once more; return what was said.

        One move in two is pressed in the list of places, the other is typed: either is a way to play.
        """
        version = self.person.version()
        self.type_in("Command", "legal")
        self.hears(re.compile(r"\w+: \d+ place"))
        piece = self.heard()[-1].partition(":")[0]
        if version % 2:
            label = self.a_place()
            self.go_to(self.places().first)
            self.page.keyboard.press("Enter")
        else:
            self.type_in("Command", f"legal {piece}")
            # Where a single piece is left, both replies are the same words, and the second ends in a space.
            self.hears(re.compile(rf"^{piece}: \d+ places?\.\s?$"))
            label = self.places().first.inner_text()
            self.page.keyboard.press("Shift+Tab")
            self.page.keyboard.press("Shift+Tab")
            # Of a single cell only the cell itself is named.
            cells = label.partition(": ")[2] or label.rpartition(" ")[2]
            self.type_in("Move", cells.replace(" ", ""))
        self.hears(f"{label}.")
        self.page.keyboard.press("Enter")
        self.person.await_version(version + 1)
        return label.partition(":")[0].removeprefix("Piece ")


@pytest.mark.proof
def test_a_whole_game_is_played_through_the_accessibility_tree_by_keys_alone(people: People) -> None:
    alice, bob = (Listener(people.arrive(name)) for name in ("alice", "bob"))
    path = seat_two_at_duo(alice.person, bob.person)
    for one in (alice, bob):
        one.page.goto(one.person.url + path)
        one.switch_on()

    placed = 0
    while not alice.is_over():
        mover, other = (alice, bob) if alice.is_my_turn() else (bob, alice)
        said = mover.play()
        placed += 1
        version = mover.person.version()
        for one in (alice, bob):
            one.person.await_version(version)
        other.hears(f"{mover.person.name} placed {said}")
    assert placed > 20

    for one in (alice, bob):
        expect(one.page.get_by_role("table", name="Final scores")).to_have_count(1)
        events = [sentence for sentence in one.heard() if EVENT.search(sentence)]
        assert [sentence for sentence in events if len(sentence) > LONGEST] == []
        assert len([sentence for sentence in events if " placed " in sentence]) == placed
        assert "The game is over: " in events[-1]


def test_questions_are_answered_errors_interrupt_and_what_is_typed_outlives_an_update(people: People) -> None:
    alice, bob = Listener(people.arrive_by_wire("alice")), Listener(people.arrive("bob", PHONE))
    path = seat_two_at_duo(alice.person, bob.person)
    alice.page.goto(alice.person.url + path)
    alice.switch_on()
    alice.type_in("Command", "c")
    alice.hears("Corners that Purple can use: e10.")
    alice.type_in("Move", "1 at a1")
    expect(alice.page.get_by_role("alert").filter(has_text="must cover your start cell, e10")).to_have_count(1)
    expect(alice.box("Move")).to_have_value("1 at a1")
    alice.person.lose_network()
    alice.type_in("Move", "I5 at e10 r90")
    expect(alice.page.get_by_role("alert").filter(has_text="could not be sent")).to_have_count(1)
    alice.person.find_network()
    alice.page.keyboard.press("Enter")
    alice.hears("Press Enter again to place it.")
    alice.page.keyboard.press("Enter")
    alice.hears(re.compile(f"^You placed I5 at e10. It is {bob.person.name}'s turn.$"))
    expect(alice.box("Move")).to_have_value("")

    expect(alice.box("Move")).to_be_focused()
    alice.page.keyboard.type("1 at d9")
    # Whoever has the board before them hears it as well.
    bob.hears(f"{alice.person.name} placed I5 at e10. It is your turn.")
    bob.person.play_any()
    alice.hears(re.compile(rf"^{bob.person.name} placed \w+ at \w+. It is your turn.$"))
    expect(alice.box("Move")).to_be_focused()
    expect(alice.box("Move")).to_have_value("1 at d9")


def test_the_time_left_goes_on_in_words(people: People) -> None:
    alice, bob = Listener(people.arrive("alice")), people.arrive("bob")
    path = seat_two_at_duo(alice.person, bob)
    alice.page.clock.install()
    alice.page.goto(alice.person.url + path)
    alice.switch_on()
    left = alice.page.locator("[data-behaviour=time-left]").first
    expect(left).to_have_text(re.compile(r"^[2-9] days"))
    days = int(left.inner_text()[0])
    alice.page.clock.fast_forward("24:00:01")
    expect(left).to_have_text(re.compile(rf"^[{days - 2}{days - 1}] day"))


def test_the_board_is_one_stop_and_is_walked_through_by_arrow_keys(people: People) -> None:
    alice, bob = Listener(people.arrive("alice")), people.arrive("bob")
    path = seat_two_at_duo(alice.person, bob)
    alice.page.goto(alice.person.url + path)
    alice.switch_on()
    alice.type_in("Move", "I5 at e10 r90")
    alice.hears("Press Enter again to place it.")
    alice.page.keyboard.press("Enter")
    alice.hears("'s turn.")
    grid = alice.page.get_by_role("grid", name="Board")
    stops = grid.get_by_role("gridcell").and_(alice.page.locator("[tabindex='0']"))
    expect(stops).to_have_count(1)
    alice.go_to(stops)
    expect(stops).to_have_text("a1 empty")
    for key, text in (("PageUp", "a6 empty"), ("PageUp", "a11 empty"), ("ArrowDown", "a10 empty")):
        alice.page.keyboard.press(key)
        expect(stops).to_have_text(text)
    alice.page.keyboard.press("Shift+ArrowRight")
    expect(grid.get_by_role("gridcell", name="e10 Purple", exact=True)).to_be_focused()

    # Somebody else moves meanwhile: the cell stays where it is read.
    bob.await_version(alice.person.version())
    bob.play_any()
    alice.hears("It is your turn.")
    expect(grid.get_by_role("gridcell", name="e10 Purple", exact=True)).to_be_focused()
    alice.page.keyboard.press("ArrowDown")
    expect(stops).to_have_text("e9 empty")
    expect(stops).to_be_focused()


@pytest.mark.proof
def test_a_page_that_an_answer_cannot_stand_in_is_loaded_anew(people: People) -> None:
    alice = Listener(people.arrive("alice"))
    alice.person.sign_up()
    path = alice.person.open_table("duo", "bot:random")
    # Another tab chooses words: what comes for this one, which has the board, is in words too.
    other = Listener(Person("alice", alice.person.context, alice.person.context.new_page(), alice.person.url))
    other.page.goto(alice.person.url + path)
    other.switch_on()
    alice.person.play_any()
    expect(alice.page.get_by_role("button", name="Show the board", exact=True)).to_have_count(1)
    expect(alice.page.get_by_role("grid", name="Board")).to_have_count(1)
    # The login ends: what is typed brings a page to log in, and nobody is left in silence.
    expect(alice.box("Move")).to_have_count(1)
    alice.person.context.clear_cookies(name="sessionid")
    alice.type_in("Move", "1 at a1")
    expect(alice.box("Move")).to_have_count(0)
    expect(alice.page.get_by_role("link", name="Home", exact=True)).to_have_count(1)


def seat_two_at_duo(alice: Person, bob: Person) -> str:
    """Sign both up, let alice open a Duo table and bob join by its link; return the game's path."""
    alice.sign_up()
    bob.sign_up()
    path = alice.open_table("duo", "link")
    bob.go(alice.invitation())
    bob.press(re.compile("seat|Join", re.I))
    bob.page.wait_for_url(re.compile(path))
    return path
