"""Where the site sends e-mails: a link for a new password skips no factor, and a lost address shuts nobody out."""

import pytest
from playwright.sync_api import expect

from tests.browser.factors import Device
from tests.browser.keys.elapsed import ten_minutes_later
from tests.browser.keys.mailbox import Mailbox
from tests.browser.keys.steps import (
    KEYS,
    LISTS,
    add_passkey,
    choose_password,
    log_in_by_the_button,
    log_out,
    press,
    press_main,
    sign_up,
    type_code,
    type_password,
)
from tests.browser.people import PASSWORD, TALL, People, Person
from tests.browser.site import Site

pytestmark = pytest.mark.proof

RESET, CONFIRM, RESTORE = "/accounts/password/reset/key/", "/accounts/confirm-email/", "/accounts/email/restore/"
NEW = "a sentence of another day"


def address_of(person: Person) -> str:
    return f"{person.name}@example.org"


def sign_up_with_address(person: Person, mailbox: Mailbox) -> None:
    """Make an account with a password and an address, and confirm the address."""
    person.go("/accounts/signup/")
    person.page.fill("[name=username]", person.name)
    person.page.fill("[name=email]", address_of(person))
    person.page.fill("[name=password1]", PASSWORD)
    press_main(person)
    person.page.wait_for_url(LISTS)
    confirm(person, mailbox, address_of(person))


def confirm(person: Person, mailbox: Mailbox, address: str) -> None:
    """Confirm an address by the link in the e-mail."""
    person.go(mailbox.link(address, "", CONFIRM))
    press_main(person)


def ask_for_a_link(person: Person, mailbox: Mailbox) -> str:
    """Ask for a new password; return where the link in the e-mail leads."""
    person.go("/accounts/password/reset/")
    person.page.fill("[name=email]", address_of(person))
    press_main(person)
    return mailbox.link(address_of(person), "asked for a new password", RESET)


def test_a_new_password_by_a_link_does_not_skip_the_passkey(writers: People, mailbox: Mailbox) -> None:
    alice = writers.arrive("alice", TALL)
    Device.of(alice)
    sign_up_with_address(alice, mailbox)
    add_passkey(alice, "My phone")
    log_out(alice)
    alice.go(ask_for_a_link(alice, mailbox))
    choose_password(alice, NEW)
    expect(alice.page.locator("h1")).to_have_text("One more step")
    # Not logged in yet, whichever page is asked for.
    assert "/accounts/login/" in alice.context.request.get(f"{alice.url}{KEYS}").url
    press(alice, "Use my passkey")
    alice.page.wait_for_url(LISTS)
    log_out(alice)
    type_password(alice, NEW)
    press(alice, "Use my passkey")
    alice.page.wait_for_url(LISTS)


def test_without_a_password_a_link_and_a_recovery_code_replace_a_lost_device(writers: People, mailbox: Mailbox) -> None:
    ruth = writers.arrive("ruth", TALL)
    lost = Device.of(ruth)
    kept = sign_up(ruth, address_of(ruth))
    confirm(ruth, mailbox, address_of(ruth))
    log_out(ruth)
    lost.lose()
    Device.of(ruth)
    ruth.go(ask_for_a_link(ruth, mailbox))
    choose_password(ruth, NEW)
    type_code(ruth, kept[5])
    ruth.page.wait_for_url(LISTS)
    assert add_passkey(ruth, "New phone") == []
    log_out(ruth)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)


def test_a_lost_address_is_replaced_by_who_has_the_passkey(writers: People, mailbox: Mailbox, mail_site: Site) -> None:
    ruth = writers.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth, address_of(ruth))
    log_out(ruth)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)
    ten_minutes_later(mail_site, ruth.name)
    new = f"new-{address_of(ruth)}"
    ruth.go("/accounts/email/")
    ruth.page.locator("[name=email]:visible").fill(new)
    press(ruth, "Change address")
    # A new address opens the account one day: the passkey is asked for again, and no password. Then the change goes on.
    expect(ruth.page.locator("main input[type=password]")).to_have_count(0)
    press(ruth, "Use my passkey")
    expect(ruth.page.get_by_text(f"{new} is not confirmed yet.")).to_be_visible()
    confirm(ruth, mailbox, new)
    ruth.go("/accounts/email/")
    expect(ruth.page.get_by_text(f"Your address is {new}.")).to_be_visible()


def test_a_factor_that_a_thief_has_added_is_taken_away_by_the_link_in_the_e_mail(
    writers: People, mailbox: Mailbox
) -> None:
    alice = writers.arrive("alice", TALL)
    sign_up_with_address(alice, mailbox)
    thief = writers.new_browser(alice)
    Device.of(thief)
    type_password(thief)
    thief.page.wait_for_url(LISTS)
    add_passkey(thief, "Mine now")
    alice.go("/accounts/")
    expect(alice.page.locator("h1")).to_have_text("Log in")
    alice.go(mailbox.link(address_of(alice), "A passkey was added to your account.", RESTORE))
    press_main(alice)
    expect(alice.page.locator("h1")).to_have_text("Your account is yours again")
    alice.go(mailbox.link(address_of(alice), "", RESET))
    choose_password(alice, NEW)
    alice.page.wait_for_url(LISTS)
    thief.go(KEYS)
    assert "/accounts/login/" in thief.page.url
    log_in_by_the_button(thief)
    expect(thief.page.get_by_text("The passkey was not accepted. Nothing has changed.")).to_be_visible()
