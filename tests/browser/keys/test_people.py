"""People who log in each in a way of their own: a guest who has an account, a bot's operator, a moderator, someone who
reads French, someone who uses no mouse, someone with a key that is plugged in.
"""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.factors import Device, switch_on_codes
from tests.browser.keys.elapsed import ten_minutes_later
from tests.browser.keys.steps import (
    ADD,
    KEYS,
    LISTS,
    LOGIN,
    add_passkey,
    host_says,
    log_in_by_the_button,
    log_out,
    press,
    press_main,
    sign_up,
    type_code,
    type_password,
)
from tests.browser.people import PASSWORD, TALL, WIDER, People, Person
from tests.browser.site import Site

pytestmark = pytest.mark.proof

GAME = re.compile(r"/games/[a-z0-9]{10}/$")
#: How often the page is looked at again until a file is made; each look takes some hundredths of a second.
MOST_LOOKS = 400


def play_as_guest(person: Person) -> str:
    """Begin a game with bots as a guest; return its path."""
    person.go("/")
    press(person, "Play bots")
    person.page.wait_for_url(GAME)
    return person.path


def log_in_by_passkey_as_guest(person: Person) -> None:
    """Log in by a passkey in a guest's browser, which asks what becomes of the games."""
    log_in_by_the_button(person)
    expect(person.page.locator("h1")).to_have_text(f"Bring them along to {person.name}?")


def test_a_guest_who_logs_in_by_a_passkey_brings_the_game_along(people: People) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    game = play_as_guest(ruth)
    log_in_by_passkey_as_guest(ruth)
    assert ruth.page.evaluate(WIDER) == 0
    press(ruth, "Bring them along")
    expect(ruth.page.get_by_text("All that you played as a guest is in your account now.")).to_be_visible()
    ruth.go("/games/")
    expect(ruth.page.locator(f"main a[href^='{game}']").first).to_be_visible()


def test_where_both_sit_at_one_table_nothing_goes_along_and_the_guest_plays_on(people: People) -> None:
    ruth = people.arrive("ruth")
    Device.of(ruth)
    sign_up(ruth)
    ruth.open_table("duo", "link")
    link = ruth.invitation()
    log_out(ruth)
    ruth.go(link)
    ruth.press(re.compile("seat|Join", re.I))
    ruth.page.wait_for_url(GAME)
    game = ruth.path
    log_in_by_passkey_as_guest(ruth)
    press(ruth, "Bring them along")
    expect(ruth.page.get_by_role("alert")).to_contain_text("one person cannot have two seats")
    expect(ruth.page.get_by_role("button", name="Bring them along")).to_have_count(0)
    ruth.page.get_by_role("button", name=re.compile("Go back to playing as")).click()
    ruth.page.wait_for_url(LISTS)
    ruth.go(game)
    expect(ruth.page.locator("#game")).to_be_visible()


def test_the_operator_of_a_bot_shows_the_passkey_and_the_bot_speaks(people: People, site: Site) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    ten_minutes_later(site, ruth.name)
    ruth.go("/accounts/bots/")
    press(ruth, "Use my passkey")
    bot = f"Helper-{ruth.name}"
    ruth.page.get_by_label("Name", exact=True).fill(bot)
    press(ruth, "Make a bot account")
    expect(ruth.page.locator("h1")).to_have_text(bot)
    ruth.page.get_by_label("What is it for?").fill("at home")
    ruth.page.get_by_label("See what you can see").check()
    press(ruth, "Make a token")
    secret = ruth.page.get_by_label("Copy it now").input_value()
    asked = urllib.request.Request(f"{site.url}/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    with urllib.request.urlopen(asked) as answer:
        assert json.load(answer)["operator"] == ruth.name
    ruth.go(KEYS)
    expect(ruth.page.get_by_text(f"Token of your bot {bot}")).to_be_visible()
    press(ruth, "Revoke at home")
    expect(ruth.page.get_by_text(f"Token of your bot {bot}")).to_have_count(0)


def test_a_moderator_without_a_factor_is_led_to_one_and_then_to_the_desk(people: People, site: Site) -> None:
    judith = people.arrive("judith", TALL)
    Device.of(judith)
    judith.sign_up()
    assert "has no second factor yet" in host_says(site, "moderator", judith.name)
    judith.go("/moderation/")
    expect(judith.page.get_by_text("Moderators need a second factor. Switch one on here first.")).to_be_visible()
    judith.page.get_by_role("link", name="Add a passkey").click()
    judith.page.fill("[name=password]", PASSWORD)
    press_main(judith)
    press(judith, "Add a passkey")
    expect(judith.page.get_by_text("Your passkey is added.")).to_be_visible()
    judith.go("/moderation/")
    assert judith.path == "/moderation/"
    # At another browser the password alone opens nothing.
    phone = people.new_browser(judith, TALL)
    Device.of(phone)
    type_password(phone)
    answer = phone.page.goto(f"{phone.url}/moderation/")
    assert answer
    assert answer.status == 404


def test_without_a_password_no_page_asks_for_one_and_the_passkey_opens_each(people: People, site: Site) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    ten_minutes_later(site, ruth.name)
    places = ("/accounts/tokens/", "/accounts/bots/", "/webhooks/", ADD, "/accounts/delete/")
    for place in (*places, "/accounts/password/change/", "/accounts/password/set/", "/accounts/keys/recovery/new/"):
        ruth.go(place)
        expect(ruth.page.get_by_role("button", name="Use my passkey")).to_be_visible()
        expect(ruth.page.locator("main input[type=password]")).to_have_count(0)
    ruth.go("/accounts/delete/")
    press(ruth, "Use my passkey")
    expect(ruth.page.locator("main")).to_contain_text("It cannot be undone.")
    expect(ruth.page.locator("[name=password]")).to_have_count(0)
    ruth.go("/accounts/")
    ruth.page.get_by_role("link", name="Your data").click()
    press(ruth, "Make the file")
    ready = ruth.page.get_by_role("link", name="Download")
    # A worker makes it.
    for _each in range(MOST_LOOKS):
        if ready.count():
            break
        ruth.page.reload()
    ten_minutes_later(site, ruth.name)
    ready.click()
    with ruth.page.expect_download() as file:
        press(ruth, "Use my passkey")
    assert file.value.suggested_filename.endswith(".zip")


def test_all_of_it_is_in_french_and_fits_a_phone(people: People) -> None:
    ruth = people.arrive("ruth", TALL, locale="fr-FR")
    lost = Device.of(ruth)
    ruth.go("/accounts/signup/")
    ruth.page.get_by_role("link", name="S’inscrire avec une clé d’accès, sans mot de passe").click()
    ruth.page.fill("[name=username]", ruth.name)
    press(ruth, "Continuer")
    assert ruth.page.evaluate(WIDER) == 0
    press(ruth, "Créer ma clé d’accès")
    expect(ruth.page.locator("h1")).to_have_text("Codes de secours")
    assert ruth.page.evaluate(WIDER) == 0
    kept = ruth.page.locator(".kept-codes li").all_inner_texts()
    ruth.go(KEYS)
    assert ruth.page.evaluate(WIDER) == 0
    ruth.go("/accounts/logout/")
    ruth.page.locator("main form button").first.click()
    lost.lose()
    new = Device.of(ruth)
    ruth.page.goto(f"{ruth.url}{LOGIN}")
    ruth.page.get_by_role("link", name="Je n’ai pas de mot de passe, et j’ai perdu ma clé d’accès").click()
    ruth.page.fill("[name=username]", ruth.name)
    type_code(ruth, "0000 0000 0000")
    expect(ruth.page.get_by_text("Nom ou code de secours incorrect.").first).to_be_visible()
    assert ruth.page.evaluate(WIDER) == 0
    ruth.page.fill("[name=username]", ruth.name)
    type_code(ruth, kept[9])
    press(ruth, "Ajouter une clé d’accès")
    ruth.page.wait_for_url(f"**{KEYS}")
    assert new.count() == 1
    assert ruth.page.locator("html").get_attribute("lang") == "fr"


def test_keys_alone_sign_up_and_log_in(people: People) -> None:
    ruth = people.arrive("ruth")
    device = Device.of(ruth)
    ruth.go("/accounts/keys/passkeys/sign-up/")
    reach(ruth, "[name=username]")
    ruth.page.keyboard.type(ruth.name)
    ruth.page.keyboard.press("Enter")
    ruth.page.wait_for_url("**/sign-up/make/")
    reach(ruth, "[data-passkey]")
    ruth.page.keyboard.press("Enter")
    expect(ruth.page.locator("h1")).to_have_text("Recovery codes")
    reach(ruth, "main button.button--primary")
    ruth.page.keyboard.press("Enter")
    ruth.page.wait_for_url(re.compile("^(?!.*recovery)"))
    assert device.count() == 1
    ruth.go("/accounts/logout/")
    reach(ruth, "main form button")
    ruth.page.keyboard.press("Enter")
    expect(ruth.page.get_by_role("link", name="Log in").first).to_be_visible()
    ruth.context.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable;")
    ruth.go(LOGIN)
    reach(ruth, ".passkey-way [data-passkey]")
    ruth.page.keyboard.press("Enter")
    ruth.page.wait_for_url(LISTS)


def reach(person: Person, place: str) -> None:
    """Press Tab until the place has the focus, as many times as a page may have places."""
    for _each in range(60):
        if person.page.evaluate("place => document.activeElement.matches(place)", place):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"no key reaches {place}")


def test_a_key_that_is_plugged_in_opens_the_account_too(people: People) -> None:
    alice = people.arrive("alice")
    Device.of(alice, transport="usb")
    alice.sign_up()
    add_passkey(alice, "On my keys")
    log_out(alice)
    log_in_by_the_button(alice)
    alice.page.wait_for_url(LISTS)


def test_the_first_factor_logs_out_who_came_by_the_password_alone(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    thief = people.new_browser(alice, TALL)
    thief.log_in()
    kept = switch_on_codes(alice)
    thief.go("/accounts/")
    thief.page.wait_for_url(re.compile(LOGIN))
    type_password(thief)
    expect(thief.page.locator("h1")).to_have_text("One more step")
    # The owner on the other device has the codes.
    type_code(thief, kept[3])
    thief.page.wait_for_url(LISTS)
