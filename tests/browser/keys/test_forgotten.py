"""A forgotten password, on a site without e-mail: the passkey stands for it everywhere, and may take its place."""

import pytest
from playwright.sync_api import expect

from tests.browser.factors import Device
from tests.browser.keys.elapsed import ten_minutes_later
from tests.browser.keys.steps import (
    KEYS,
    LISTS,
    add_passkey,
    choose_password,
    log_in_by_the_button,
    log_out,
    press,
    press_main,
    type_password,
)
from tests.browser.people import TALL, WIDER, People, Person
from tests.browser.site import Site

pytestmark = pytest.mark.proof

NEW = "another long sentence"


def comes_by_the_passkey(people: People, site: Site) -> Person:
    """Return a person with a password and a passkey who came in by the passkey, ten minutes ago."""
    alice = people.arrive("alice", TALL)
    alice.sign_up()
    Device.of(alice)
    add_passkey(alice, "My phone")
    log_out(alice)
    alice.go("/accounts/password/reset/")
    expect(alice.page.get_by_text("You have a passkey? Log in with it.")).to_be_visible()
    log_in_by_the_button(alice)
    alice.page.wait_for_url(LISTS)
    ten_minutes_later(site, alice.name)
    return alice


def test_a_new_password_is_chosen_by_the_passkey_then_removed(people: People, site: Site) -> None:
    alice = comes_by_the_passkey(people, site)
    alice.go(KEYS)
    alice.page.get_by_role("link", name="Change the password").click()
    alice.page.get_by_role("link", name="Choose a new password without it").click()
    expect(alice.page.locator("main input[type=password]")).to_have_count(0)
    press(alice, "Use my passkey")
    expect(alice.page.locator("h1")).to_have_text("New password")
    assert alice.page.evaluate(WIDER) == 0
    choose_password(alice, NEW)
    expect(alice.page.get_by_text("Your new password is saved.")).to_be_visible()
    log_out(alice)
    type_password(alice, NEW)
    press(alice, "Use my passkey")
    alice.page.wait_for_url(LISTS)
    alice.go("/accounts/password/new/")
    alice.page.get_by_role("link", name="Remove the password").click()
    assert alice.page.evaluate(WIDER) == 0
    press(alice, "Remove")
    expect(alice.page.get_by_text("None: you log in without one")).to_be_visible()
    ten_minutes_later(site, alice.name)
    for place in ("/accounts/password/change/", "/accounts/delete/", "/accounts/tokens/"):
        alice.go(place)
        expect(alice.page.get_by_role("button", name="Use my passkey")).to_be_visible()
        expect(alice.page.locator("main input[type=password]")).to_have_count(0)
    log_out(alice)
    log_in_by_the_button(alice)
    alice.page.wait_for_url(LISTS)


def test_an_address_is_added_and_the_account_closed_by_the_passkey(people: People, site: Site) -> None:
    alice = comes_by_the_passkey(people, site)
    alice.go("/accounts/email/")
    alice.page.locator("[name=email]:visible").fill("alice@example.net")
    press_main(alice)
    expect(alice.page.locator("main input[type=password]")).to_have_count(0)
    press(alice, "Use my passkey")
    alice.go("/accounts/")
    expect(alice.page.get_by_text("alice@example.net")).to_be_visible()
    ten_minutes_later(site, alice.name)
    alice.go("/accounts/delete/")
    alice.page.get_by_role("link", name="Use a passkey").click()
    press(alice, "Use my passkey")
    expect(alice.page.locator("main input[type=password]")).to_have_count(0)
    assert alice.page.evaluate(WIDER) == 0
    alice.page.fill("[name=word]", "delete")
    press(alice, "Delete my account")
    expect(alice.page.get_by_text("Your account has been deleted.")).to_be_visible()
