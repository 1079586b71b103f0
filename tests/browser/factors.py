"""What people show besides a password: an authenticator app, and a device of the browser's own that keeps passkeys."""

import base64
import hmac
import struct
import time
from dataclasses import dataclass

from playwright.sync_api import CDPSession

from tests.browser.people import PASSWORD, Person

PLATFORM = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def one_time_code(secret: str, seconds: float = 0) -> str:
    """Return what an authenticator app shows now (RFC 6238), on a phone whose clock is off by so many seconds."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.digest(key, struct.pack(">Q", int(time.time() + seconds) // 30), "sha1")
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def show_password(person: Person) -> None:
    """Type the password again, on the page that asks for it."""
    person.page.fill("[name=password]", PASSWORD)
    person.page.locator("main form button.button--primary").click()


def switch_on_codes(person: Person) -> list[str]:
    """Switch one-time codes on, and return the recovery codes that are shown."""
    person.go("/accounts/keys/codes/on/")
    show_password(person)
    secret = person.page.locator("#secret").input_value()
    person.page.fill("[name=code]", one_time_code(secret))
    person.page.locator("main form button.button--primary").click()
    return person.page.locator(".kept-codes li").all_inner_texts()


def offer_nothing(person: Person) -> None:
    """Have the person's browser offer no passkeys where a name is typed; the button alone brings them.

    The device of a test says yes to the first offer, before any button is pressed.
    """
    person.context.add_init_script("delete PublicKeyCredential.isConditionalMediationAvailable;")


@dataclass
class Device:
    """Where a browser keeps passkeys; losing it loses them."""

    session: CDPSession
    number: str

    @classmethod
    def of(cls, person: Person, **more: object) -> "Device":
        """Give the person's browser such a device; `more` says what it is otherwise, such as one that is plugged in."""
        session = person.context.new_cdp_session(person.page)
        session.send("WebAuthn.enable")
        made = session.send("WebAuthn.addVirtualAuthenticator", {"options": {**PLATFORM, **more}})
        return cls(session, made["authenticatorId"])

    def refuse(self) -> None:
        """Know its person no longer: the wrong finger, the wrong code."""
        self.session.send("WebAuthn.setUserVerified", {"authenticatorId": self.number, "isUserVerified": False})

    def lose(self) -> None:
        """Be gone, with all passkeys."""
        self.session.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": self.number})

    def count(self) -> int:
        """Return how many passkeys it keeps."""
        return len(self.session.send("WebAuthn.getCredentials", {"authenticatorId": self.number})["credentials"])
