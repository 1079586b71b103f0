"""A game ends: who won is seen at a glance, playing again comes first, and the result is passed on."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.demo import Demo
from tests.browser.people import TALL, People, Person, log_in_as

NO_SHARING = "delete Navigator.prototype.share"
# What the device's own way to share is given, and whether the press still counts by then.
SHARING = """window.shared = new Promise((resolve, reject) => {
  setTimeout(reject, 15000, new Error("nothing was shared"));
  Navigator.prototype.share = async ({ files = [], ...rest }) => {
    const heads = files.map(async (file) => [file.name, [...new Uint8Array(await file.slice(1, 4).arrayBuffer())]]);
    resolve({ ...rest, counts: navigator.userActivation.isActive, files: await Promise.all(heads) });
  };
});"""
TAKES_FILES = """Navigator.prototype.canShare = (what) => !what.files || what.files[0].type === "image/png";"""
TAKES_NO_FILES = """Navigator.prototype.canShare = (what) => !what.files;"""


def resigned(people: People, device: dict[str, object] = TALL) -> Person:
    """Return a person on a phone who has just lost a game to a bot by resigning."""
    person = people.arrive("end", device)
    person.sign_up()
    person.open_table("duo", "bot:random")
    give_up(person)
    return person


def give_up(person: Person) -> None:
    person.press("Menu")
    person.press("Resign")
    person.page.locator("#resign .button--danger").click()
    expect(person.page.locator(".end")).to_be_visible()


def seen_by(people: People, demo: Demo, name: str, scene: str) -> Page:
    """Return the page of a finished game, in somebody's eyes."""
    page = people.arrive(name, TALL).page
    log_in_as(page, demo.site.url, name)
    page.goto(demo.site.url + demo.game(scene))
    return page


@pytest.mark.parametrize(
    ("name", "lead", "won"),
    [
        ("bob", "You and carol tied for 1st", ""),
        ("dave", "You came 3rd of 4", "bob and carol tied for 1st."),
        ("alice", "You came 4th of 4", "bob and carol tied for 1st."),
    ],
)
def test_everybody_sees_their_place(people: People, demo: Demo, name: str, lead: str, won: str) -> None:
    page = seen_by(people, demo, name, "Dead heat")
    expect(page.locator(".end__lead")).to_have_text(lead)
    expect(page.locator(".end__won")).to_have_count(1 if won else 0)
    if won:
        expect(page.locator(".end__won")).to_have_text(won)
    expect(page.locator(".player__crown")).to_have_count(2)
    # The crown of others stands beside their names, not above the place of the reader.
    crown, told = page.locator(".end__crown").bounding_box(), page.locator(".end__lead").bounding_box()
    assert crown
    assert told
    assert (crown["y"] > told["y"]) == bool(won)


def test_the_winner_is_told_by_how_much_and_where_the_game_turned(people: People, demo: Demo) -> None:
    page = seen_by(people, demo, "alice", "Every last piece")
    expect(page.locator(".end__lead")).to_have_text("You won by 107 points")
    expect(page.locator(".count > li")).to_contain_text(["174 of 178 +20", "87 of 178"])
    expect(page.locator(".how")).to_contain_text("Red placed every piece, the one-cell piece last: +20.")
    expect(page.locator(".turned")).to_contain_text(re.compile(r"The game turned at move \d+, when \w+ placed "))
    page.get_by_role("link", name="See the review").click()
    expect(page.locator(":target")).to_be_visible()


@pytest.mark.parametrize("scene", ["Dead heat", "Every last piece", "Trio"])
def test_playing_again_comes_first_and_is_seen_without_scrolling(people: People, demo: Demo, scene: str) -> None:
    page = seen_by(people, demo, "bob", scene)
    box = page.get_by_role("button", name="Rematch").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 740
    ways = page.locator(".side :is(a, button):visible").all_inner_texts()
    assert [way.splitlines()[0].strip() for way in ways[:2]] == ["Rematch", "Same group again"]


def test_who_lost_among_four_has_playing_again_on_the_first_screen_too(people: People, demo: Demo) -> None:
    page = seen_by(people, demo, "dave", "Dead heat")
    expect(page.locator(".end__placed")).to_have_text(re.compile(r"^You placed \d+ of 89 cells\.$"))
    box = page.get_by_role("button", name="Rematch").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 740


def test_the_same_group_plays_again_at_one_tap_a_seat_further(people: People) -> None:
    person = resigned(people)
    first = person.path
    person.press(re.compile("Same group again"))
    person.page.wait_for_url(lambda url: first not in url)
    expect(person.page.locator(".players .player").nth(1)).to_contain_text("You")


def test_the_end_is_announced_once(people: People) -> None:
    ann, ben = people.arrive("ann"), people.arrive("ben", TALL)
    ann.sign_up()
    ben.sign_up()
    ann.open_table("duo", "link")
    invitation = ann.invitation()
    ben.go(invitation)
    ben.page.locator("main form button").first.click()
    ann.page.wait_for_selector("#place")
    said = ann.page.locator("[data-behaviour=announce]")
    give_up(ben)
    expect(said).to_have_text(f"{ben.name} resigned. The game is over: You won.")
    expect(ann.page.locator(".end__lead")).to_have_text("You won")
    ann.page.evaluate("document.querySelector('[data-behaviour=announce]').textContent = ''")
    ben.press(re.compile("Rematch"))
    expect(ann.page.get_by_role("button", name="Play the rematch")).to_be_visible()
    expect(said).to_be_empty()
    ann.press("Play the rematch")
    ann.page.wait_for_selector("#place")


def test_the_end_of_a_whole_game_comes_live_with_its_count_and_its_light(people: People) -> None:
    ann, ben = people.arrive("ann"), people.arrive("ben", TALL)
    ann.sign_up()
    ben.sign_up()
    ann.open_table("duo", "link")
    ben.go(ann.invitation())
    ben.page.locator("main form button").first.click()
    ann.page.wait_for_selector("#place")
    ben.page.wait_for_selector("#place")
    ben.page.evaluate("window.loaded = 'once'")
    while not ann.page.locator(".end").count():
        mover = next(person for person in (ann, ben) if person.is_my_turn())
        version = mover.play_any()
        ann.await_version(version)
        ben.await_version(version)
    # The last move told the other's page of the end, which was never loaded again.
    for person in (ann, ben):
        expect(person.page.locator(".end__lead")).to_be_visible()
        light = person.page.locator(".won > path").first
        expect(light).to_have_css("animation-name", "shine")
        placed = [int(text) for text in person.page.locator(".count > li > span > b:first-child").all_inner_texts()]
        bars = person.page.locator(".count progress").evaluate_all("all => all.map(bar => bar.value)")
        assert bars == placed
        assert all(placed)
    assert ben.page.evaluate("window.loaded") == "once"


def test_a_guest_is_asked_to_keep_the_game_until_they_say_no(people: People) -> None:
    guest = people.arrive("guest", TALL)
    guest.go("/")
    guest.press("Play bots")
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    guest.open_table("duo", "bot:random")
    expect(guest.page.locator("#keep")).to_have_count(0)
    give_up(guest)
    keep = guest.page.get_by_role("complementary", name="Keep this game?")
    expect(keep.get_by_role("link", name="Save my games")).to_have_attribute(
        "href", re.compile(r"^/accounts/claim/\?next=/games/[a-z0-9]{10}/$")
    )
    guest.press("Not now")
    expect(keep).to_be_hidden()
    guest.page.reload()
    expect(guest.page.locator(".end")).to_be_visible()
    expect(keep).to_be_hidden()


def test_a_guest_who_played_bots_alone_is_asked_at_the_end_what_to_be_called(people: People) -> None:
    guest = people.arrive("called", TALL)
    guest.go("/games/new/")
    path = guest.open_table("duo", "bot:random")
    give_up(guest)
    keep = guest.page.get_by_role("complementary", name="Keep this game?")
    keep.get_by_label("What should we call you?").fill(guest.name)
    guest.press("Save")
    guest.page.wait_for_url(re.compile(f"{path}$"))
    expect(keep).to_be_visible()
    expect(keep.get_by_label("What should we call you?")).to_have_count(0)
    guest.go("/accounts/")
    expect(guest.page.locator("main")).to_contain_text(guest.name)


def shares(person: Person, files: str = "") -> Locator:
    """Give the person's device a way to share, which takes files or not; return what opens it on the page anew."""
    person.page.add_init_script(SHARING + files)
    person.page.reload()
    return person.page.locator(".passed [data-behaviour=share]")


def what_was_shared(person: Person) -> list[list[object]]:
    """Return the files that were shared, each by its name and its first letters; text and link went along."""
    shared = person.page.evaluate("window.shared")
    assert shared["title"] == "Random bot won"
    assert shared["text"].startswith("Random bot won. 1. Random bot ")
    assert shared["url"] == person.page.url
    assert shared["counts"]
    files: list[list[object]] = shared["files"]
    return files


def test_the_result_goes_through_the_devices_own_way_to_share(people: People) -> None:
    person = resigned(people)
    link = shares(person)
    link.focus()
    person.page.keyboard.press("Enter")
    assert what_was_shared(person) == []
    expect(link).to_be_focused()


@pytest.mark.parametrize("way", ["a finger", "keys"])
def test_the_picture_of_the_result_goes_along_where_a_device_takes_files(people: People, way: str) -> None:
    person = resigned(people)
    link = shares(person, TAKES_FILES)
    if way == "keys":
        link.focus()
        person.page.keyboard.press("Enter")
    else:
        link.tap()
    assert what_was_shared(person) == [["block-you.png", list(b"PNG")]]


@pytest.mark.parametrize("trouble", ["takes no files", "no picture comes", "the picture fails"])
def test_text_and_link_are_shared_where_the_picture_cannot_go_along(people: People, trouble: str) -> None:
    # What a service worker passes on cannot be answered here.
    person = resigned(people, {**TALL, "service_workers": "block"})
    link = shares(person, TAKES_NO_FILES if trouble == "takes no files" else TAKES_FILES)
    # Else it never comes.
    person.page.route("**/picture.png*", lambda route: route.fulfill(status=429) if "fails" in trouble else None)
    link.tap()
    assert what_was_shared(person) == []


def test_the_result_is_copied_where_a_device_cannot_share(people: People) -> None:
    person = resigned(people, {"viewport": {"width": 1280, "height": 800}})
    person.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.page.add_init_script(NO_SHARING)
    person.page.reload()
    link = person.page.locator(".passed [data-behaviour=share]")
    link.click()
    expect(link).to_have_text("Copied")
    expect(person.page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    expect(link).to_be_focused()
    assert person.page.evaluate("navigator.clipboard.readText()").endswith(f"\n{person.page.url}")


def test_without_scripts_sharing_is_a_link(people: People, demo: Demo) -> None:
    page = people.arrive("plain", TALL, java_script_enabled=False).page
    page.goto(demo.site.url + demo.game("Dead heat"))
    page.get_by_role("link", name="Share").click()
    expect(page.get_by_label("The result as text")).to_have_value(re.compile("^bob and carol tied for 1st"))


def test_a_game_is_opened_as_a_study_with_the_lines_of_its_review(people: People, demo: Demo) -> None:
    page = seen_by(people, demo, "alice", "Every last piece")
    page.get_by_role("button", name="Open as study").click()
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/$"))
    expect(page.locator("h1")).to_have_text("Every last piece")
    comments = page.evaluate("JSON.parse(document.querySelector('#comments').textContent)")
    turning = [number for number, text in comments.items() if text.startswith("Turning point: ")]
    assert turning
    page.locator(f"a[data-go='{turning[0]}']").click()
    expect(page.locator("[data-comment]")).to_contain_text("Better: ")


def test_a_study_opens_where_the_replay_stands(people: People, demo: Demo) -> None:
    page = seen_by(people, demo, "bob", "Dead heat")
    page.get_by_role("link", name="Replay").first.click()
    page.wait_for_url(re.compile("/replay/$"))
    page.keyboard.press("Home")
    expect(page.locator("[data-number-shown]")).to_have_text("0")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Open as study").click()
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/\?move=1$"))
    expect(page.locator("[data-number-shown]")).to_have_text("1")
