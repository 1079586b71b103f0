"""What is lost is replaced: a device behind a password, one of two devices, the recovery codes, everything."""

import pytest
from playwright.sync_api import expect

from tests.browser.factors import Device, show_password
from tests.browser.keys.steps import (
    ADD,
    KEYS,
    LISTS,
    RECOVERY_NEW,
    add_passkey,
    choose_password,
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


def remove(person: Person, name: str) -> None:
    person.go(KEYS)
    person.page.get_by_role("link", name=f"Remove {name}").click()
    person.page.locator("main form button.button--danger").click()
    expect(person.page.get_by_text("The passkey is removed.")).to_be_visible()


def test_behind_a_password_a_recovery_code_stands_in_for_a_lost_device(people: People) -> None:
    alice = people.arrive("alice", TALL)
    lost = Device.of(alice)
    alice.sign_up()
    kept = add_passkey(alice, "Old phone")
    log_out(alice)
    lost.lose()
    Device.of(alice)
    type_password(alice)
    press(alice, "Use my passkey")
    expect(alice.page.locator("[data-said]:visible")).to_contain_text("No passkey was used, and nothing has changed.")
    alice.page.get_by_text("My phone or my passkey is lost").click()
    assert alice.page.evaluate(WIDER) == 0
    type_code(alice, kept[0])
    alice.page.wait_for_url(LISTS)
    # The code has shown who it is: nothing is asked again.
    assert add_passkey(alice, "New phone") == []
    remove(alice, "Old phone")
    log_out(alice)
    log_in_by_the_button(alice)
    alice.page.wait_for_url(LISTS)


def test_the_second_device_opens_what_the_lost_one_did(people: People) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    # A passkey on another device is added there, where a recovery code or a password lets in: she chooses a password.
    ruth.go("/accounts/password/set/")
    choose_password(ruth, PASSWORD)
    desk = people.new_browser(ruth)
    Device.of(desk)
    type_password(desk)
    expect(desk.page.locator("h1")).to_have_text("One more step")
    ruth.go(RECOVERY_NEW)
    press_main(ruth)
    code = ruth.page.locator(".kept-codes li").first.inner_text()
    type_code(desk, code)
    desk.page.wait_for_url(LISTS)
    add_passkey(desk, "My desk")
    # The phone is gone now. What the desk has opens the account, and takes away what the phone had.
    ruth.context.clear_cookies()
    log_out(desk)
    log_in_by_the_button(desk)
    desk.page.wait_for_url(LISTS)
    remove(desk, "Chrome on Linux")
    log_in_by_the_button(ruth)
    expect(ruth.page.get_by_text("The passkey was not accepted. Nothing has changed.")).to_be_visible()


def test_new_recovery_codes_end_the_old_ones(people: People) -> None:
    ruth = people.arrive("ruth")
    device = Device.of(ruth)
    old = sign_up(ruth)
    ruth.go(RECOVERY_NEW)
    press_main(ruth)
    expect(ruth.page.locator(".kept-codes li")).to_have_count(10)
    new = ruth.page.locator(".kept-codes li").all_inner_texts()
    press(ruth, "I have kept them")
    log_out(ruth)
    device.lose()
    Device.of(ruth)
    ruth.go("/accounts/keys/passkeys/lost/")
    for code, words in ((old[0], "Wrong name or recovery code."), (new[0], "You are in.")):
        ruth.page.fill("[name=username]", ruth.name)
        type_code(ruth, code)
        expect(ruth.page.get_by_text(words).first).to_be_visible()
    assert ruth.page.url.endswith(ADD)


def test_the_host_helps_where_everything_is_lost(people: People, site: Site) -> None:
    ruth = people.arrive("ruth", TALL)
    lost = Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    lost.lose()
    device = Device.of(ruth)
    ruth.go("/accounts/keys/passkeys/lost/")
    ruth.page.get_by_role("link", name="Who runs this site").click()
    expect(ruth.page.locator("h1")).to_have_text("Privacy")
    assert "manage.py reset_link" in host_says(site, "drop_factors", ruth.name)
    link = host_says(site, "reset_link", ruth.name).split()[0]
    ruth.go(link.partition(":8000")[2])
    choose_password(ruth, PASSWORD)
    ruth.page.wait_for_url(LISTS)
    ruth.go(ADD)
    show_password(ruth)
    press(ruth, "Add a passkey")
    expect(ruth.page.get_by_text("Your passkey is added.")).to_be_visible()
    assert device.count() == 1
