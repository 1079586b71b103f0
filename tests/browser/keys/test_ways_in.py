"""Passkeys in Chromium, with a device of its own that keeps them, each way to its end; and codes without scripts."""

import re

from playwright.sync_api import expect

from tests.browser.factors import Device, offer_nothing, one_time_code, show_password, switch_on_codes
from tests.browser.keys.steps import ADD, KEYS, LISTS, add_passkey, log_in_by_the_button, log_out, press, sign_up
from tests.browser.people import PASSWORD, TALL, WIDER, People


def test_signing_up_and_logging_in_need_no_password(people: People) -> None:
    ruth = people.arrive("ruth", TALL)
    device = Device.of(ruth)
    assert len(sign_up(ruth)) == 10
    assert device.count() == 1
    log_out(ruth)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)
    ruth.go(KEYS)
    expect(ruth.page.get_by_text("None: you log in without one")).to_be_visible()
    assert ruth.page.evaluate(WIDER) == 0


def test_a_guest_keeps_the_game(people: People) -> None:
    guest = people.arrive("gil")
    Device.of(guest)
    guest.go("/")
    press(guest, "Play bots")
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    game = guest.path
    guest.go("/accounts/claim/")
    guest.page.get_by_role("link", name="Use a passkey instead of a password").click()
    guest.page.fill("[name=username]", guest.name)
    press(guest, "Continue")
    press(guest, "Make my passkey")
    expect(guest.page.locator("h1")).to_have_text("Recovery codes")
    guest.go(game)
    expect(guest.page.locator("#game")).to_be_visible()


def test_after_a_password_the_passkey_is_asked_for_and_it_alone_will_do(people: People) -> None:
    alice = people.arrive("alice")
    Device.of(alice)
    alice.sign_up()
    assert len(add_passkey(alice, "My desk")) == 10
    log_out(alice)
    offer_nothing(alice)
    alice.go("/accounts/login/")
    alice.page.fill("[name=login]", alice.name)
    alice.page.fill("[name=password]", PASSWORD)
    alice.page.locator("main form button.button--primary").first.click()
    press(alice, "Use my passkey")
    alice.page.wait_for_url(LISTS)
    log_out(alice)
    log_in_by_the_button(alice)
    alice.page.wait_for_url(LISTS)


def test_passkeys_are_offered_where_the_name_is_typed(people: People) -> None:
    ruth = people.arrive("ruth")
    Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    # The device of the test says yes at once to what the browser offers among the names that it fills in; nothing else
    # on this page logs anyone in.
    ruth.go("/accounts/login/")
    ruth.page.wait_for_url(LISTS)
    # That page is gone too soon to look at it: somebody without a device stays on it.
    zoe = people.arrive("zoe")
    zoe.go("/accounts/login/")
    expect(zoe.page.locator("[name=login]")).to_have_attribute("autocomplete", "username webauthn")


def test_a_lost_device_is_replaced_by_a_recovery_code(people: People) -> None:
    ruth = people.arrive("ruth")
    lost = Device.of(ruth)
    kept = sign_up(ruth)
    log_out(ruth)
    lost.lose()
    new = Device.of(ruth)
    offer_nothing(ruth)
    ruth.go("/accounts/login/")
    ruth.page.get_by_role("link", name="I have no password, and my passkey is lost").click()
    ruth.page.fill("[name=username]", ruth.name)
    ruth.page.fill("[name=code]", kept[2])
    ruth.page.locator("main form button.button--primary").click()
    expect(ruth.page.get_by_text("You are in. Add a passkey on this device now")).to_be_visible()
    press(ruth, "Add a passkey")
    expect(ruth.page.get_by_text("Your passkey is added.")).to_be_visible()
    assert new.count() == 1
    log_out(ruth)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)


def test_of_two_devices_the_one_that_was_removed_opens_nothing(people: People) -> None:
    alice = people.arrive("alice")
    Device.of(alice)
    alice.sign_up()
    add_passkey(alice, "My desk")
    phone = people.new_browser(alice, TALL)
    phone.go("/accounts/login/")
    phone.page.fill("[name=login]", alice.name)
    phone.page.fill("[name=password]", PASSWORD)
    phone.page.locator("main form button.button--primary").first.click()
    Device.of(phone)
    # This device has none: a recovery code would do, or the other device. The desk ends the passkey instead.
    alice.go(KEYS)
    alice.page.get_by_role("link", name="Remove My desk").click()
    alice.page.locator("main form button.button--danger").click()
    expect(alice.page.get_by_text("The passkey is removed.")).to_be_visible()
    log_out(alice)
    log_in_by_the_button(alice)
    expect(alice.page.get_by_text("The passkey was not accepted. Nothing has changed.")).to_be_visible()
    phone.log_in()
    phone.page.wait_for_url(LISTS)


def test_what_the_device_refuses_is_said_and_changes_nothing(people: People) -> None:
    alice = people.arrive("alice")
    device = Device.of(alice)
    alice.sign_up()
    add_passkey(alice, "My desk")
    alice.go(ADD)
    press(alice, "Add a passkey")
    expect(alice.page.get_by_role("alert")).to_have_text(
        "This device has a passkey for this account already. Use that one."
    )
    device.refuse()
    alice.go(ADD)
    press(alice, "Add a passkey")
    expect(alice.page.get_by_role("alert")).not_to_be_empty()
    assert device.count() == 1
    log_out(alice)
    log_in_by_the_button(alice)
    expect(alice.page.locator(".passkey-way [data-said]")).to_have_text(
        "No passkey was used, and nothing has changed. Try again, or choose another way."
    )
    expect(alice.page.locator("[name=login]")).to_be_visible()


def test_without_a_password_the_account_is_closed_by_the_passkey(people: People) -> None:
    ruth = people.arrive("ruth")
    Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)
    ruth.go("/accounts/delete/")
    expect(ruth.page.locator("[name=password]")).to_have_count(0)
    # The passkey was shown just now: it is asked for no second time.
    expect(ruth.page.locator("main")).to_contain_text("It cannot be undone.")
    ruth.page.fill("[name=word]", "delete")
    ruth.page.locator("main form button.button--danger").click()
    expect(ruth.page.get_by_text("Your account has been deleted.")).to_be_visible()


def test_codes_need_no_scripts(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    alice.sign_up()
    kept = switch_on_codes(alice)
    assert len(kept) == 10
    log_out(alice)
    alice.go("/accounts/login/")
    expect(alice.page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
    alice.page.fill("[name=login]", alice.name)
    alice.page.fill("[name=password]", PASSWORD)
    alice.page.locator("main form button.button--primary").first.click()
    alice.page.fill("[name=code]", kept[0])
    alice.page.locator("main form button.button--primary").click()
    alice.page.wait_for_url(LISTS)


def test_one_device_logs_out_another(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    phone = people.new_browser(alice, TALL)
    phone.log_in()
    alice.go(KEYS)
    press(alice, "Log out all other devices")
    show_password(alice)
    expect(alice.page.get_by_text("All your other devices are logged out.")).to_be_visible()
    phone.go("/accounts/")
    phone.page.wait_for_url(re.compile("/accounts/login/"))


def test_a_code_of_the_app_logs_in(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    alice.go("/accounts/keys/codes/on/")
    show_password(alice)
    secret = alice.page.locator("#secret").input_value()
    assert alice.page.locator(".secret-picture").evaluate("(one) => one.naturalWidth") > 0
    alice.page.fill("[name=code]", "000000")
    alice.page.locator("main form button.button--primary").click()
    expect(alice.page.get_by_text("This code is not right.").first).to_be_visible()
    alice.page.fill("[name=code]", one_time_code(secret))
    alice.page.locator("main form button.button--primary").click()
    expect(alice.page.locator("h1")).to_have_text("Recovery codes")
