"""axe-core finds nothing wrong with the pages that are seen on the way in alone, and none is wider than a phone."""

import re
from dataclasses import dataclass, field

import pytest
from django.urls import resolve
from playwright.sync_api import expect

from tests.browser.demo import NO_PAGES
from tests.browser.factors import Device, offer_nothing, one_time_code
from tests.browser.keys.elapsed import ten_minutes_later
from tests.browser.keys.steps import (
    ADD,
    CODES_ON,
    KEYS,
    LOGIN,
    RECOVERY_NEW,
    choose_password,
    log_in_by_the_button,
    log_out,
    press,
    press_main,
    type_code,
    type_password,
)
from tests.browser.keys.test_sign_on import go_to_school, log_in_at_school
from tests.browser.people import DESK, PASSWORD, WIDER, People, Person
from tests.browser.site import Site
from tests.browser.test_axe import AXE, complaints

pytestmark = pytest.mark.proof

AGAIN_BY_CODE, CODES_OFF = "/accounts/keys/again/", "/accounts/keys/codes/off/"
STILL: dict[str, object] = {**DESK, "reduced_motion": "reduce"}
#: What answers these addresses is no page: the way a passkey is sent.
NO_PAGE = {"mfa_login_webauthn"}
OF_LOG_INS = re.compile("mfa_|passkey-|password-|signup-|sign-on|bring-guest")


@dataclass
class Looker:
    """What has been looked at, by the names of addresses."""

    person: Person
    seen: set[str] = field(default_factory=set)

    def look(self, name: str) -> None:
        """Require that this page is there, and that nothing is wrong with it."""
        page = self.person.page
        assert resolve(self.person.path.partition("?")[0]).url_name == name, self.person.path
        page.evaluate(AXE.read_text())
        assert complaints(page) == [], name
        # The last width that was looked at is a phone's.
        assert page.evaluate(WIDER) == 0, name
        self.seen.add(name)

    def go(self, path: str, name: str) -> None:
        """Open a page, and look at it."""
        self.person.go(path)
        self.look(name)


def looks_at_passkeys(looker: Looker) -> None:
    """Sign up by a passkey, and walk through what can be done with it."""
    ruth = looker.person
    looker.go("/accounts/keys/passkeys/sign-up/", "signup-by-passkey")
    ruth.page.fill("[name=username]", ruth.name)
    press(ruth, "Continue")
    looker.look("signup-make-passkey")
    press(ruth, "Make my passkey")
    expect(ruth.page.locator("h1")).to_have_text("Recovery codes")
    looker.look("mfa_view_recovery_codes")
    press(ruth, "I have kept them")
    looker.go("/accounts/keys/recovery/", "mfa_view_recovery_codes")
    looker.go(RECOVERY_NEW, "mfa_generate_recovery_codes")
    ruth.go(ADD)
    press(ruth, "Add a passkey")
    expect(ruth.page.get_by_role("alert")).to_be_visible()
    looker.look("mfa_add_webauthn")
    looker.go(KEYS, "mfa_index")
    ruth.page.get_by_role("link", name="Chrome on Linux", exact=True).click()
    looker.look("mfa_edit_webauthn")
    ruth.go(KEYS)
    ruth.page.get_by_role("link", name="Remove Chrome on Linux").click()
    looker.look("mfa_remove_webauthn")
    looker.go("/accounts/password/set/", "account_set_password")


def looks_at_codes(looker: Looker, site: Site) -> None:
    """Set a password and switch codes on, show them again later, and walk through what can be done with them."""
    ruth = looker.person
    choose_password(ruth, PASSWORD)
    looker.go("/accounts/password/change/", "account_change_password")
    looker.go("/accounts/password/new/", "password-renew")
    looker.go("/accounts/password/remove/", "password-remove")
    looker.go("/accounts/delete/", "account-delete")
    looker.go(CODES_ON, "mfa_activate_totp")
    secret = ruth.page.locator("#secret").input_value()
    type_code(ruth, "000000")
    expect(ruth.page.locator(".errorlist").first).to_be_visible()
    looker.look("mfa_activate_totp")
    type_code(ruth, one_time_code(secret))
    looker.go(CODES_OFF, "mfa_deactivate_totp")
    ruth.go(KEYS)
    ruth.page.get_by_role("link", name="Remove Chrome on Linux").click()
    looker.look("mfa_remove_webauthn")
    looker.go(KEYS, "mfa_index")
    ten_minutes_later(site, ruth.name)
    looker.go(AGAIN_BY_CODE, "mfa_reauthenticate")
    looker.go("/accounts/keys/passkeys/again/", "mfa_reauthenticate_webauthn")


def test_axe_has_nothing_against_the_pages_of_passkeys_codes_and_guests(people: People, site: Site) -> None:
    ruth = people.arrive("ruth", STILL)
    looker = Looker(ruth)
    Device.of(ruth)
    looks_at_passkeys(looker)
    looks_at_codes(looker, site)
    log_out(ruth)
    offer_nothing(ruth)
    ruth.go("/accounts/keys/passkeys/lost/")
    ruth.page.fill("[name=username]", ruth.name)
    type_code(ruth, "0000 0000 0000")
    expect(ruth.page.locator(".errorlist").first).to_be_visible()
    looker.look("passkey-lost")
    type_password(ruth)
    ruth.page.get_by_text("My phone or my passkey is lost").click()
    looker.look("mfa_authenticate")
    type_code(ruth, "000000")
    looker.look("mfa_authenticate")
    ruth.go("/")
    press(ruth, "Play bots")
    ruth.page.wait_for_url("**/games/*/")
    log_in_by_the_button(ruth)
    expect(ruth.page.locator("h1")).to_contain_text("Bring them along")
    looker.look("bring-guest")
    ways = {name for name in NO_PAGES if OF_LOG_INS.match(name) and not name.startswith("sign-on")}
    assert ways - looker.seen == NO_PAGE


def test_axe_has_nothing_against_the_pages_of_a_sign_on(writers: People, mail_site: Site) -> None:
    otis = writers.arrive("otis", STILL)
    looker = Looker(otis)
    looker.go(LOGIN, "account_login")
    looker.go("/accounts/signup/", "account_signup")
    # The page on the way goes on by itself: it is looked at with the browser held back.
    otis.page.route("**/auth?*", lambda route: route.fulfill(status=204))
    otis.go(LOGIN)
    press(otis, "Continue with School")
    expect(otis.page.locator("h1")).to_have_text("On to School")
    looker.look("sign-on")
    otis.page.unroute("**/auth?*")
    go_to_school(otis)
    expect(otis.page.locator("h1")).to_have_text("Your name")
    looker.look("sign-on-name")
    press_main(otis)
    otis.page.wait_for_url("**/games/")
    ten_minutes_later(mail_site, otis.name)
    otis.go("/accounts/tokens/")
    looker.look("sign-on-again")
    press(otis, "Continue")
    log_in_at_school(otis)
    otis.page.wait_for_url("**/accounts/tokens/")
    looker.go("/accounts/keys/sign-on/back/?state=of-nobody", "sign-on-back")
    looker.go(KEYS, "mfa_index")
    assert {name for name in NO_PAGES if name.startswith("sign-on")} <= looker.seen
