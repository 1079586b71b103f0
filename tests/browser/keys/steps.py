"""What people do on the pages for logging in."""

import re
import subprocess
import sys

from playwright.sync_api import expect

from tests.browser.factors import offer_nothing, show_password
from tests.browser.people import PASSWORD, Person
from tests.browser.site import ROOT, Site

ADD, KEYS, OUT, LOGIN = "/accounts/keys/passkeys/add/", "/accounts/keys/", "/accounts/logout/", "/accounts/login/"
CODES_ON, RECOVERY_NEW = "/accounts/keys/codes/on/", "/accounts/keys/recovery/new/"
LISTS = re.compile(r"/games/$")


def press(person: Person, words: str) -> None:
    """Press the button of exactly that name."""
    person.page.get_by_role("button", name=words, exact=True).click()


def press_main(person: Person) -> None:
    """Press the button that sends the form of the page."""
    person.page.locator("main form button.button--primary:visible").first.click()


def add_passkey(person: Person, name: str) -> list[str]:
    """Add a passkey on the person's device, after the password; return the recovery codes that are shown."""
    person.go(ADD)
    if "reauthenticate" in person.page.url:
        show_password(person)
    person.page.fill("[name=name]", name)
    press(person, "Add a passkey")
    expect(person.page.get_by_text("Your passkey is added.")).to_be_visible()
    return person.page.locator(".kept-codes li").all_inner_texts()


def sign_up(person: Person, address: str = "") -> list[str]:
    """Sign up by a passkey, from the page for signing up; return the recovery codes."""
    person.go("/accounts/signup/")
    person.page.get_by_role("link", name="Sign up with a passkey, without a password").click()
    person.page.fill("[name=username]", person.name)
    if address:
        person.page.fill("[name=email]", address)
    press(person, "Continue")
    press(person, "Make my passkey")
    expect(person.page.locator("h1")).to_have_text("Recovery codes")
    return person.page.locator(".kept-codes li").all_inner_texts()


def log_out(person: Person) -> None:
    """Log out, on the page for it."""
    person.go(OUT)
    person.page.locator("main form button").first.click()
    expect(person.page.get_by_role("link", name="Log in").first).to_be_visible()


def log_in_by_the_button(person: Person) -> None:
    """Press the button that logs in by a passkey."""
    offer_nothing(person)
    person.go(LOGIN)
    press(person, "Log in with a passkey")


def type_password(person: Person, password: str = PASSWORD) -> None:
    """Type name and password on the page for logging in, and send them."""
    offer_nothing(person)
    person.go(LOGIN)
    person.page.fill("[name=login]", person.name)
    person.page.fill("[name=password]", password)
    press_main(person)


def type_code(person: Person, code: str) -> None:
    """Type a code where one is asked for, and send it."""
    person.page.fill("[name=code]", code)
    person.page.locator("main form:has([name=code]) button.button--primary").click()


def choose_password(person: Person, password: str) -> None:
    """Type a new password wherever the page asks for one, and send it."""
    for box in person.page.locator("main input[type=password]").all():
        box.fill(password)
    press_main(person)


def host_says(site: Site, *command: str) -> str:
    """Return what a command of the host prints."""
    called = [sys.executable, "manage.py", *command]
    return subprocess.run(
        called, cwd=ROOT, env=site.surroundings(), check=True, timeout=120, capture_output=True, text=True
    ).stdout
