"""What the site keeps about people: the facts are those of the code that keeps them, and of this host's settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext

from games.background.upkeep import KEPT_GUESTS, KEPT_NOTICES
from games.base.talk import is_switched_on


@dataclass(frozen=True)
class CookieView:
    """A cookie: its name, what it is for, and for how many days a browser keeps it."""

    name: str
    purpose: str
    days: int


@dataclass(frozen=True)
class PrivacyPage:
    """What differs from site to site. `contact` is an address that begins with mailto: or https://, empty for none.

    `host` is who runs the site, empty where its host has not said so; `more` are the host's own paragraphs.
    `talk_days` is 0 where nobody talks. `reports_errors` says that a service of the host's hears of failures.
    """

    host: str
    contact: str
    more: Sequence[str]
    guest_days: int
    notice_days: int
    talk_days: int
    has_ratings: bool
    has_presence: bool
    sends_email: bool
    reports_errors: bool
    cookies: Sequence[CookieView]

    @property
    def contact_words(self) -> str:
        """Return the contact as people read it."""
        return self.contact.removeprefix("mailto:")


def privacy_page() -> PrivacyPage:
    """Return what this site says about what it keeps. No query."""
    return PrivacyPage(
        host=settings.SITE_HOST,
        contact=settings.SITE_CONTACT,
        more=settings.PRIVACY_TEXT,
        guest_days=KEPT_GUESTS.days,
        notice_days=KEPT_NOTICES.days,
        talk_days=int(settings.TALK_DAYS) if is_switched_on() else 0,
        has_ratings=settings.RATINGS,
        has_presence=settings.PRESENCE,
        sends_email=settings.EMAIL_IS_SET,
        reports_errors=bool(settings.ERROR_EMAIL or settings.SENTRY_DSN),
        cookies=_cookies(),
    )


def _cookies() -> list[CookieView]:
    kept = {settings.CSRF_COOKIE_NAME: settings.CSRF_COOKIE_AGE}
    said = {
        settings.SESSION_COOKIE_NAME: gettext("keeps you logged in, also as a guest"),
        settings.CSRF_COOKIE_NAME: gettext("shows that a form was sent from this site"),
        settings.DEVICE_COOKIE_NAME: gettext("lets you log in on this device while someone else guesses your password"),
        settings.LANGUAGE_COOKIE_NAME: gettext("remembers the language you chose"),
        settings.ZONE_COOKIE_NAME: gettext("remembers your time zone"),
        settings.SPOKEN_COOKIE_NAME: gettext("remembers that you read games in words"),
        settings.STRENGTH_COOKIE_NAME: gettext("remembers how strong your last bots were"),
    }
    ages = {name: timedelta(seconds=kept.get(name, settings.SESSION_COOKIE_AGE)) for name in said}
    return [CookieView(name, purpose, ages[name].days) for name, purpose in said.items()]
