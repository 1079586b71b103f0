"""The sign-on of a host in a browser: there and back, with a name, with a code, and where the provider lies."""

import pytest
from playwright.sync_api import expect

from tests.browser.factors import Device, offer_nothing, switch_on_codes
from tests.browser.keys.elapsed import ten_minutes_later
from tests.browser.keys.mailbox import Mailbox
from tests.browser.keys.school import School
from tests.browser.keys.steps import (
    KEYS,
    LISTS,
    LOGIN,
    add_passkey,
    log_in_by_the_button,
    log_out,
    press,
    type_code,
)
from tests.browser.keys.test_with_mail import sign_up_with_address
from tests.browser.people import TALL, WIDER, People, Person
from tests.browser.site import Site

pytestmark = pytest.mark.proof


def log_in_at_school(person: Person) -> None:
    """Log in at the provider, where the browser is."""
    person.page.get_by_role("heading", name="School", exact=True).wait_for()
    person.page.get_by_label("Name").fill(person.name)
    press(person, "Log in at school")


def go_to_school(person: Person) -> None:
    """Press the button that leads to the provider, and log in there."""
    offer_nothing(person)
    person.go(LOGIN)
    press(person, "Continue with School")
    log_in_at_school(person)


def become_member(person: Person) -> None:
    """Make an account by the provider."""
    go_to_school(person)
    expect(person.page.locator("h1")).to_have_text("Your name")
    assert person.page.evaluate(WIDER) == 0
    assert person.page.locator("[name=username]").input_value() == person.name
    press(person, "Create an account")
    person.page.wait_for_url(LISTS)


def test_a_person_of_the_school_comes_in_under_a_name_and_comes_back(writers: People) -> None:
    otis = writers.arrive("otis", TALL)
    become_member(otis)
    log_out(otis)
    go_to_school(otis)
    otis.page.wait_for_url(LISTS)
    otis.go(KEYS)
    expect(otis.page.get_by_text("None: you log in without one")).to_be_visible()


def test_who_has_nothing_else_shows_it_at_school_again_then_adds_a_passkey_and_needs_school_no_more(
    writers: People, mail_site: Site
) -> None:
    otis = writers.arrive("otis", TALL)
    Device.of(otis)
    become_member(otis)
    ten_minutes_later(mail_site, otis.name)
    otis.go("/accounts/tokens/")
    expect(otis.page.locator("main input[type=password]")).to_have_count(0)
    press(otis, "Continue")
    log_in_at_school(otis)
    otis.page.wait_for_url("**/accounts/tokens/")
    assert len(add_passkey(otis, "My phone")) == 10
    otis.go(KEYS)
    press(otis, "Remove School")
    expect(otis.page.get_by_text("That log-in no longer opens your account.")).to_be_visible()
    log_out(otis)
    log_in_by_the_button(otis)
    otis.page.wait_for_url(LISTS)


def test_a_provider_that_lies_is_not_believed_and_codes_are_asked_for_after_one_that_does_not(
    writers: People, school: School, mailbox: Mailbox
) -> None:
    alice = writers.arrive("alice", TALL)
    sign_up_with_address(alice, mailbox)
    kept = switch_on_codes(alice)
    alice.go(KEYS)
    press(alice, "Add School")
    log_in_at_school(alice)
    expect(alice.page.get_by_text("You can log in by School from now on.")).to_be_visible()
    log_out(alice)
    school.lies = True
    try:
        go_to_school(alice)
        expect(alice.page.get_by_role("alert")).to_contain_text("The answer of School cannot be trusted.")
        alice.page.get_by_role("link", name="Log in", exact=True).last.click()
    finally:
        school.lies = False
    press(alice, "Continue with School")
    log_in_at_school(alice)
    expect(alice.page.locator("h1")).to_have_text("One more step")
    type_code(alice, kept[0])
    alice.page.wait_for_url(LISTS)


def test_the_same_answer_of_the_provider_opens_nothing_twice(writers: People) -> None:
    otis = writers.arrive("otis")
    asked: list[str] = []
    otis.page.on("request", lambda sent: asked.append(sent.url))
    become_member(otis)
    log_out(otis)
    answer = next(url for url in asked if "/sign-on/back/" in url)
    for browser in (otis, writers.arrive("mallory")):
        browser.page.goto(answer)
        expect(browser.page.get_by_role("alert")).to_contain_text("Nothing has changed. Begin again.")
    browser.page.get_by_role("link", name="Log in", exact=True).last.click()
    expect(browser.page.locator("h1")).to_have_text("Log in")
