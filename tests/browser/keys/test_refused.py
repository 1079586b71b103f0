"""What does not hold gets a sentence that says what to do, changes nothing, and is followed by what does hold."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from playwright.sync_api import Route, expect

from tests.browser.factors import Device, one_time_code, show_password
from tests.browser.keys.steps import (
    ADD,
    CODES_ON,
    KEYS,
    LISTS,
    LOGIN,
    add_passkey,
    log_in_by_the_button,
    log_out,
    press,
    sign_up,
    type_code,
    type_password,
)
from tests.browser.people import TALL, People, Person

NOT_ACCEPTED = "The passkey was not accepted. Nothing has changed."
SENT_BY_ALL = "**/accounts/keys/passkeys/**"


def change_once(person: Person, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """Have the next answer of the person's device be changed on its way; return where it will be kept as it was."""
    kept: list[str] = []

    def changed(route: Route) -> None:
        sent = dict(parse_qsl(route.request.post_data or "", keep_blank_values=True))
        if kept or not sent.get("credential"):
            route.continue_()
            return
        kept.append(sent["credential"])
        answer = json.loads(sent["credential"])
        change(answer["response"])
        route.continue_(post_data=urlencode({**sent, "credential": json.dumps(answer)}))

    person.page.route(SENT_BY_ALL, changed)
    return kept


def cut(name: str) -> Callable[[dict[str, Any]], object]:
    """Return what cuts a part of an answer short."""
    return lambda response: response.update({name: response[name][: len(response[name]) // 2]})


@pytest.mark.proof
@pytest.mark.parametrize("part", ["attestationObject", "clientDataJSON"])
def test_a_broken_attestation_is_said_and_the_next_one_is_kept(people: People, part: str) -> None:
    alice = people.arrive("alice", TALL)
    Device.of(alice)
    alice.sign_up()
    alice.go(ADD)
    show_password(alice)
    change_once(alice, cut(part))
    press(alice, "Add a passkey")
    expect(alice.page.get_by_text(NOT_ACCEPTED).first).to_be_visible()
    alice.go(KEYS)
    expect(alice.page.get_by_text("Recovery codes")).to_have_count(0)
    alice.go(ADD)
    press(alice, "Add a passkey")
    expect(alice.page.get_by_text("Your passkey is added.")).to_be_visible()


@pytest.mark.proof
def test_a_broken_answer_logs_nobody_in_and_the_next_one_does(people: People) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    change_once(ruth, cut("signature"))
    log_in_by_the_button(ruth)
    expect(ruth.page.get_by_text(NOT_ACCEPTED)).to_be_visible()
    assert ruth.page.url.endswith(LOGIN)
    press(ruth, "Log in with a passkey")
    ruth.page.wait_for_url(LISTS)


def test_an_answer_that_was_sent_once_opens_nothing_again(people: People) -> None:
    ruth = people.arrive("ruth")
    Device.of(ruth)
    sign_up(ruth)
    log_out(ruth)
    kept = change_once(ruth, lambda response: None)
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)
    log_out(ruth)
    for browser in (ruth, people.new_browser(ruth)):
        browser.go(LOGIN)
        browser.page.evaluate(
            """answer => { const form = document.querySelector(".passkey-way");
                form.elements.credential.value = answer; form.requestSubmit(); }""",
            kept[0],
        )
        expect(browser.page.get_by_text(NOT_ACCEPTED)).to_be_visible()
    log_in_by_the_button(ruth)
    ruth.page.wait_for_url(LISTS)


def test_a_code_works_once_and_a_recovery_code_lets_in_until_the_next(people: People) -> None:
    alice = people.arrive("alice", TALL)
    alice.sign_up()
    alice.go(CODES_ON)
    show_password(alice)
    code = one_time_code(alice.page.locator("#secret").input_value())
    type_code(alice, code)
    kept = alice.page.locator(".kept-codes li").all_inner_texts()
    log_out(alice)
    type_password(alice)
    type_code(alice, code)
    # Where the half minute has ended meanwhile, the code is not right any more; either says what to do.
    said = re.compile("Wait until your app shows the next one.|Type the one that your app shows now")
    expect(alice.page.locator("#id_code_error")).to_have_text(said)
    type_code(alice, kept[0])
    alice.page.wait_for_url(LISTS)
    log_out(alice)
    type_password(alice)
    type_code(alice, kept[0])
    expect(alice.page.locator("#id_code_error")).to_be_visible()
    type_code(alice, kept[1])
    alice.page.wait_for_url(LISTS)


@pytest.mark.proof
def test_a_clock_90_s_off_is_told_of_and_set_right(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    alice.sign_up()
    alice.go(CODES_ON)
    show_password(alice)
    secret = alice.page.locator("#secret").input_value()
    for seconds in (90, -90):
        type_code(alice, one_time_code(secret, seconds))
        expect(alice.page.locator("#id_code_error")).to_contain_text("set the clock of your phone to automatic")
        assert alice.page.locator("#secret").input_value() == secret
    type_code(alice, one_time_code(secret))
    expect(alice.page.locator("h1")).to_have_text("Recovery codes")
    kept = alice.page.locator(".kept-codes li").all_inner_texts()
    log_out(alice)
    type_password(alice)
    type_code(alice, one_time_code(secret, 90))
    expect(alice.page.locator("#id_code_error")).to_contain_text("set the clock of your phone to automatic")
    type_code(alice, kept[0])
    alice.page.wait_for_url(LISTS)


@pytest.mark.proof
def test_the_last_way_in_stays_until_there_is_another(people: People) -> None:
    ruth = people.arrive("ruth", TALL)
    Device.of(ruth)
    sign_up(ruth)
    ruth.go(KEYS)
    ruth.page.get_by_role("link", name="Remove Chrome on Linux").click()
    expect(ruth.page.get_by_text("is your only way in")).to_be_visible()
    ruth.page.get_by_role("link", name="Set a password").click()
    for box in ruth.page.locator("main input[type=password]").all():
        box.fill("another long sentence")
    ruth.page.locator("main form button.button--primary").click()
    ruth.go(KEYS)
    ruth.page.get_by_role("link", name="Remove Chrome on Linux").click()
    if "again" in ruth.page.url:
        press(ruth, "Use my passkey")
    ruth.page.locator("main form button.button--danger").click()
    expect(ruth.page.get_by_text("The passkey is removed.")).to_be_visible()
    log_out(ruth)
    type_password(ruth, "another long sentence")
    ruth.page.wait_for_url(LISTS)


@pytest.mark.proof
def test_a_passkey_is_named_and_a_name_that_is_too_long_is_not_taken(people: People) -> None:
    alice = people.arrive("alice", TALL)
    Device.of(alice)
    alice.sign_up()
    add_passkey(alice, "My desk")
    alice.go(KEYS)
    alice.page.get_by_role("link", name="My desk", exact=True).click()
    alice.page.locator("[name=name]").evaluate("field => field.removeAttribute('maxlength')")
    for name in ("x" * 41, "Old desk"):
        alice.page.fill("[name=name]", name)
        press(alice, "Save")
        if len(name) > 40:
            expect(alice.page.locator(".errorlist")).to_be_visible()
            alice.page.locator("[name=name]").evaluate("field => field.removeAttribute('maxlength')")
    expect(alice.page.get_by_role("link", name="Old desk", exact=True)).to_be_visible()
    expect(alice.page.get_by_role("link", name="My desk", exact=True)).to_have_count(0)
