"""A token for a program is made and revoked on a phone and at a desk, by touch, by keys and without scripts."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PASSWORD, PHONE, WIDER, People, Person
from tests.browser.test_axe import AXE, complaints

pytestmark = pytest.mark.proof


def ask(person: Person, secret: str) -> dict[str, Any]:
    """Return whom the site takes a program with this token for."""
    headers = {"Authorization": f"Bearer {secret}"}
    with urllib.request.urlopen(urllib.request.Request(f"{person.url}/api/v1/me", headers=headers)) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


@pytest.mark.parametrize(
    ("name", "look"),
    [("touch", PHONE), ("desk", DESK), ("plain", {**PHONE, "java_script_enabled": False})],
)
def test_a_token_is_made_shown_once_and_revoked(people: People, name: str, look: dict[str, Any]) -> None:
    person = people.arrive(f"maker-{name}", look)
    person.sign_up()
    person.go("/accounts/")
    person.page.get_by_role("link", name="Tokens", exact=True).click()
    if "reauthenticate" in person.page.url:
        person.page.get_by_label("Password").fill(PASSWORD)
        person.press("Continue")
    person.page.get_by_label("What is it for?").fill("my bot")
    person.page.get_by_label("See what you can see").check()
    if look.get("java_script_enabled", True):
        person.page.evaluate(AXE.read_text())
        assert complaints(person.page) == []
    person.press("Make a token")
    secret = person.page.get_by_label("Copy it now").input_value()
    copying = person.page.get_by_role("button", name="Copy", exact=True)
    if look.get("java_script_enabled", True):
        copying.click()
        expect(person.page.get_by_role("button", name="Copied", exact=True)).to_be_visible()
    else:
        expect(copying).to_be_hidden()
    assert ask(person, secret)["name"] == person.name
    person.go("/accounts/tokens/")
    expect(person.page.get_by_label("Copy it now")).to_have_count(0)
    assert person.page.evaluate(WIDER) == 0
    person.press("Revoke my bot")
    expect(person.page.get_by_text("The token is revoked.")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError, match="401"):
        ask(person, secret)


@pytest.mark.parametrize(
    ("name", "look"),
    [("botty-touch", PHONE), ("botty-plain", {**PHONE, "java_script_enabled": False})],
)
def test_a_bot_account_is_made_speaks_and_is_closed(people: People, name: str, look: dict[str, Any]) -> None:
    person, bot = people.arrive(name, look), f"Helper-{name[-5:]}"
    person.sign_up()
    person.go("/accounts/")
    person.page.get_by_role("link", name="Your bots").click()
    if "reauthenticate" in person.page.url:
        person.page.get_by_label("Password").fill(PASSWORD)
        person.press("Continue")
    expect(person.page.get_by_role("heading", name="Your bots")).to_be_visible()
    look_closely(person, look)
    person.page.get_by_label("Name", exact=True).fill(bot)
    person.press("Make a bot account")
    expect(person.page.get_by_role("heading", name=bot)).to_be_visible()
    look_closely(person, look)
    person.page.get_by_label("What is it for?").fill("at home")
    person.page.get_by_label("See what you can see").check()
    person.press("Make a token")
    secret = person.page.get_by_label("Copy it now").input_value()
    assert (ask(person, secret)["name"], ask(person, secret)["operator"]) == (bot, person.name)
    person.go(f"/players/{bot}/")
    expect(person.page.get_by_role("heading", name=f"{bot} (bot)")).to_be_visible()
    person.page.get_by_role("link", name=person.name, exact=True).first.click()
    expect(person.page.get_by_role("heading", name=person.name)).to_be_visible()
    person.go("/accounts/bots/")
    person.page.get_by_role("link", name=bot, exact=True).click()
    person.page.get_by_role("link", name="Close the account").click()
    expect(person.page.get_by_label(f"Type the name {bot}")).to_be_visible()
    look_closely(person, look)
    person.page.get_by_label(f"Type the name {bot}").fill(bot)
    person.press("Close the account")
    expect(person.page.get_by_text("The account of your bot has been closed.")).to_be_visible()
    with pytest.raises(urllib.error.HTTPError, match="401"):
        ask(person, secret)


@pytest.mark.parametrize(
    ("name", "look"),
    [("hooks-touch", PHONE), ("hooks-plain", {**PHONE, "java_script_enabled": False})],
)
def test_a_webhook_is_made_shows_its_secret_once_and_is_removed(
    people: People, name: str, look: dict[str, Any]
) -> None:
    person, address = people.arrive(name, look), f"https://bots.example.org/{'a-long-path' * 12}"
    person.sign_up()
    person.go("/accounts/")
    person.page.get_by_role("link", name="Webhooks", exact=True).click()
    if "reauthenticate" in person.page.url:
        person.page.get_by_label("Password").fill(PASSWORD)
        person.press("Continue")
    expect(person.page.get_by_role("heading", name="Webhooks for programs")).to_be_visible()
    look_closely(person, look)
    person.page.get_by_label("Address").fill(address)
    person.press("Make a webhook")
    assert person.page.get_by_label("Copy it now").input_value().startswith("whsec_")
    look_closely(person, look)
    person.page.get_by_label("Address").fill(address)
    person.press("Make a webhook")
    expect(person.page.get_by_text("There is a webhook with this address already.")).to_be_visible()
    expect(person.page.get_by_label("Copy it now")).to_have_count(0)
    look_closely(person, look)
    person.press(f"Remove {address}")
    expect(person.page.get_by_text("The webhook is removed.")).to_be_visible()
    expect(person.page.get_by_text(address)).to_have_count(0)


def look_closely(person: Person, look: dict[str, Any]) -> None:
    """Require that nothing of the page is cut off, and nothing hard to use."""
    assert person.page.evaluate(WIDER) == 0
    if look.get("java_script_enabled", True):
        person.page.evaluate(AXE.read_text())
        assert complaints(person.page) == []
