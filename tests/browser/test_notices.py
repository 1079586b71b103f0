"""Notices on a device, up to the one that is shown. Without a network no browser subscribes: that alone is played."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Worker, expect

from tests.browser.people import PHONE, TALL, People, Person

#: What a browser that can reach its push service answers: the example of RFC 8291.
SUBSCRIBES = """
    const keys = {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const made = () => {
        const endpoint = localStorage.endpoint;
        const unsubscribe = async () => delete localStorage.endpoint;
        return endpoint ? {endpoint, unsubscribe, toJSON: () => ({endpoint, keys})} : null;
    };
    PushManager.prototype.getSubscription = async () => made();
    PushManager.prototype.subscribe = async (options) => {
        if (!options.userVisibleOnly || options.applicationServerKey[0] !== 4) throw new Error("not a key");
        localStorage.endpoint = `https://push.example.org/${Math.random()}`;
        return made();
    };
"""


def able(people: People, name: str, device: dict[str, object] | None = None) -> Person:
    """Return a person whose browser has allowed notices and reaches its push service."""
    person = people.arrive(name, device)
    person.context.grant_permissions(["notifications"], origin=person.url)
    person.context.add_init_script(SUBSCRIBES)
    return person


def waiting_after_a_move(people: People, guest: Person) -> None:
    """Let the guest open a table with a friend, who joins, and place the first piece."""
    guest.go("/")
    guest.page.locator("form[action='/play-friend/'] button").first.click()
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    friend = people.arrive("friend")
    friend.go(guest.invitation())
    friend.page.locator("main form button.button--primary").first.click()
    guest.page.wait_for_selector("#place")
    if not guest.is_my_turn():
        friend.await_turn()
        friend.play_any()
        guest.await_turn()
    guest.play_any()


def switched_on(people: People) -> Person:
    """Return a member who has switched notices on, on the page of preferences."""
    person = able(people, "nora")
    person.sign_up()
    person.go("/accounts/preferences/")
    person.press("Turn on")
    expect(person.page.get_by_text("On. This device tells you")).to_be_visible()
    return person


def push(person: Person, **changes: Any) -> None:
    """Let the browser's push service bring a notice."""
    game = "/games/abcdefghij/"
    about = {"key": "turn.1.2", "path": game, "tag": game, "waiting": 3, "icon": "/static/site/icons/icon-192.png"}
    said = {"title": "Your turn: bob", "text": "You have until {time}.", "open": "Open", "language": "en"}
    browser = person.context.new_cdp_session(person.page)
    found: list[dict[str, Any]] = []
    browser.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    browser.send("ServiceWorker.enable")
    while not found:
        # What the browser tells is heard while it is asked something.
        person.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    [number] = {each["registrationId"] for each in found if each["scopeURL"].startswith(person.url)}
    data = json.dumps({**about, **said, "until": 1795000000000, **changes})
    browser.send("ServiceWorker.deliverPushMessage", {"origin": person.url, "registrationId": number, "data": data})


SHOWN = """async (least) => {
    const registration = await navigator.serviceWorker.ready;
    for (let tries = 0; tries < 100; tries += 1) {
        const found = await registration.getNotifications();
        if (found.some((each) => each.data.key === least)) {
            return found.map((each) => ({title: each.title, body: each.body, tag: each.tag, again: each.renotify,
                image: each.image}));
        }
        await new Promise((wait) => setTimeout(wait, 50));
    }
}"""


def test_a_notice_is_shown_and_the_next_of_its_game_takes_its_place(people: People) -> None:
    person = switched_on(people)
    push(person)
    [shown] = person.page.evaluate(SHOWN, "turn.1.2")
    assert (shown["title"], shown["tag"], shown["image"]) == ("Your turn: bob", "/games/abcdefghij/", "")
    assert re.fullmatch(r"You have until \w+, \w+ \d+, \d\d:\d\d\.", shown["body"])
    # The board is beside it: any picture of the site will do.
    board = "/static/site/icons/icon-192.png"
    push(person, key="turn.1.4", title="Your turn: bob and carol", text="", image=board)
    [shown] = person.page.evaluate(SHOWN, "turn.1.4")
    assert shown["image"] == f"{person.url}{board}"
    assert (shown["title"], shown["body"], shown["again"]) == ("Your turn: bob and carol", "", True)
    push(person, key="turn.2.2", tag="/games/other/")
    assert len(person.page.evaluate(SHOWN, "turn.2.2")) == 2


def the_worker(person: Person) -> Worker:
    [worker] = person.context.service_workers
    return worker


CLICKED = """async (key) => {
    self.done = [];
    Clients.prototype.openWindow = async (address) => self.done.push(`opened ${new URL(address).pathname}`);
    WindowClient.prototype.focus = async function () { self.done.push(`focused ${new URL(this.url).pathname}`); };
    const notification = (await registration.getNotifications()).find((each) => each.data.key === key);
    self.dispatchEvent(new NotificationEvent("notificationclick", {notification, action: "open"}));
    for (let tries = 0; tries < 100 && !self.done.length; tries += 1) await new Promise((go) => setTimeout(go, 20));
    return self.done;
}"""


def test_a_notice_opens_its_game_or_comes_back_to_the_tab_that_shows_it(people: People) -> None:
    person = switched_on(people)
    push(person)
    push(person, key="here", tag="here", path="/accounts/preferences/")
    person.page.evaluate(SHOWN, "turn.1.2")
    person.page.evaluate(SHOWN, "here")
    assert the_worker(person).evaluate(CLICKED, "turn.1.2") == ["opened /games/abcdefghij/"]
    assert the_worker(person).evaluate(CLICKED, "here") == ["focused /accounts/preferences/"]


RENEWED = """async () => {
    const event = new ExtendableEvent("pushsubscriptionchange");
    const keys = {p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg"};
    event.newSubscription = {toJSON: () => ({endpoint: "https://push.example.org/renewed", keys})};
    self.dispatchEvent(event);
    for (let tries = 0; tries < 100; tries += 1) {
        const {endpoint} = await (await fetch("/device/")).json();
        if (endpoint.endsWith("renewed")) return endpoint;
        await new Promise((go) => setTimeout(go, 50));
    }
}"""


def test_a_browser_that_changes_its_address_tells_the_site(people: People) -> None:
    person = switched_on(people)
    assert the_worker(person).evaluate(RENEWED) == "https://push.example.org/renewed"


def test_the_button_says_when_the_test_has_arrived_and_switching_off_is_kept(people: People) -> None:
    person = switched_on(people)
    panel = person.page.locator("#notices")
    person.press("Send a test notice")
    expect(panel.get_by_text("A test notice is on its way.")).to_be_visible()
    push(person, key="test.1.1")
    expect(panel.get_by_text("The test notice has arrived")).to_be_visible()
    person.press("Turn off")
    expect(panel.get_by_role("button", name="Turn on")).to_be_focused()
    person.page.reload()
    expect(panel.get_by_text("Off. Turn them on")).to_be_visible()


def test_a_guest_is_offered_notices_after_the_first_move_and_not_again(people: People) -> None:
    guest = able(people, "guest", PHONE)
    waiting_after_a_move(people, guest)
    offer = guest.page.locator(".offer")
    expect(offer.get_by_text("Get a notice on this device")).to_be_visible()
    guest.press("Turn on")
    expect(offer.get_by_text("Notices are on.")).to_be_visible()
    guest.page.reload()
    guest.page.wait_for_selector("#place")
    expect(offer).to_have_count(0)
    guest.go("/accounts/preferences/")
    expect(guest.page.get_by_text("On. This device tells you")).to_be_visible()


def test_an_offer_that_is_refused_stays_away(people: People) -> None:
    guest = able(people, "guest")
    waiting_after_a_move(people, guest)
    expect(guest.page.get_by_role("button", name="Not now")).to_be_visible()
    expect(guest.page.get_by_text("Notices are on.")).to_be_hidden()
    middles = guest.page.locator(".offer").evaluate(MIDDLES)
    assert len(middles) > 2
    assert max(middles) - min(middles) < 4, "on a desk it is one row"
    with guest.page.expect_response(re.compile("/device/stop/")):
        guest.press("Not now")
    expect(guest.page.locator(".offer")).to_be_hidden()
    guest.page.reload()
    guest.page.wait_for_selector("#place")
    expect(guest.page.locator(".offer")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("device", [TALL, PHONE], ids=["tall", "short"])
def test_an_offer_says_one_thing_at_the_cost_of_no_room_and_goes_when_a_piece_is_taken(
    people: People, device: dict[str, object], locale: str
) -> None:
    guest = able(people, "guest", {**device, "locale": locale})
    waiting_after_a_move(people, guest)
    offer, tray = guest.page.locator(".offer"), guest.page.locator(".tray:not([hidden])")
    expect(offer).to_be_visible()
    expect(offer.locator("> :visible")).to_have_count(3)
    assert not offer.evaluate("offer => offer.scrollHeight > offer.clientHeight")
    box, over = tray.bounding_box(), offer.bounding_box()
    assert box
    assert over
    # It lies over the buttons, all of which rest.
    assert over == guest.page.locator("#place").bounding_box()
    expect(guest.page.locator("#place > .button:enabled")).to_have_count(0)
    guest.page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.tap()
    expect(offer).to_be_hidden()
    expect(guest.page.locator("#place > [data-act=flip]")).to_be_visible()
    guest.page.locator("#place > [data-act=cancel]").tap()
    expect(offer).to_be_visible()
    offer.locator("[data-do=off]").tap()
    expect(offer).to_be_hidden()
    assert tray.bounding_box() == box


#: How far down the middles of the parts stand that are shown.
MIDDLES = """(offer) => [...offer.children].map((part) => part.getBoundingClientRect())
    .filter((box) => box.height).map((box) => box.y + box.height / 2)"""
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1"


@pytest.mark.parametrize(
    ("agent", "lacks", "sentence"),
    [
        (IPHONE, "PushManager", "only apps on the Home Screen"),
        ("Something else", "PushManager", "This browser cannot show notices."),
    ],
)
def test_a_browser_that_shows_no_notices_says_why(people: People, agent: str, lacks: str, sentence: str) -> None:
    person = people.arrive("paul", user_agent=agent)
    person.context.add_init_script(f"delete window.{lacks};")
    person.sign_up()
    person.go("/accounts/preferences/")
    expect(person.page.locator("#notices").get_by_text(sentence)).to_be_visible()
    expect(person.page.locator("#notices button:visible")).to_have_count(0)


def test_without_scripts_one_sentence_says_what_is_missing(people: People) -> None:
    person = people.arrive("pia", java_script_enabled=False)
    person.sign_up()
    person.go("/accounts/preferences/")
    expect(person.page.locator("#notices").get_by_text("Your browser needs JavaScript")).to_be_visible()
    expect(person.page.locator("#notices button:visible")).to_have_count(0)
