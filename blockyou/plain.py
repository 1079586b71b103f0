"""What is said where no page can be: a sentence in each of the site's languages, with the headers every answer carries.

Before a request has reached Django, the language of its sender is not known.
"""

from collections.abc import Iterable
from http import HTTPStatus

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext_lazy as _

# The site asks for none of these, so neither may anything that gets into a page.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "autoplay",
        "browsing-topics",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)

#: Seconds after which a program may ask again.
RETRY_AFTER = 30

SENTENCES = {
    400: _("Your browser sent a request that the site could not read."),
    403: _("You may not connect to this address."),
    413: _("This is too large: at most 3 MiB can be sent at once."),
    500: _("The site has a fault. Try again in a minute."),
    503: _("The site took too long to answer. Try again in a minute."),
}


def sentence(status: int) -> str:
    """Return what is said with this status, a line a language."""
    known = status if status in SENTENCES else 400 if status < 500 else 500
    lines = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            lines.append(f"{SENTENCES[known]}\n")
    return "".join(lines)


def headers(status: int) -> dict[str, str]:
    """Return the headers that go with it. Nothing that a page may do is allowed: it is no page."""
    found = {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": PERMISSIONS_POLICY,
    }
    if settings.SECURE_HSTS_SECONDS:
        found["Strict-Transport-Security"] = _strict_transport()
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        found["Retry-After"] = str(RETRY_AFTER)
    return found


def message(status: int, more: Iterable[tuple[str, str]] = ()) -> bytes:
    """Return the whole answer as it is sent, with `more` headers, after which the connection ends."""
    body = sentence(status).encode()
    closing = {"Content-Length": str(len(body)), "Connection": "close"}
    lines = [f"{name}: {value}" for name, value in (*headers(status).items(), *closing.items(), *more)]
    return "\r\n".join([f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *lines, "", ""]).encode("latin-1") + body


def _strict_transport() -> str:
    """Return the value of the header as Django's own middleware writes it."""
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS:
        parts.append("includeSubDomains")
    if settings.SECURE_HSTS_PRELOAD:
        parts.append("preload")
    return "; ".join(parts)
