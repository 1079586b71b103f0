"""Typed readers of the environment: a missing or senseless value is one clear sentence, never a guess."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "on", "true", "yes"})
FALSE = frozenset({"0", "off", "false", "no"})


def text(name: str, default: str | None = None) -> str:
    """Return the variable as text; without a default it must be set and not empty.

    Raises: ImproperlyConfigured.
    """
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(
            f"{name} is not set. Set it in the environment; docs/operations.md lists every setting."
        )
    return default


def flag(name: str, default: bool) -> bool:
    """Return the variable as a yes or a no.

    Raises: ImproperlyConfigured for any other word.
    """
    value = text(name, "on" if default else "off").lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}. Use on or off.")


def integer(name: str, default: int, *, least: int, most: int) -> int:
    """Return the variable as a whole number from least to most, both included.

    Raises: ImproperlyConfigured.
    """
    value = text(name, str(default))
    if value.isascii() and value.isdigit() and len(value) < 12 and least <= int(value) <= most:
        return int(value)
    raise ImproperlyConfigured(f"{name} is {value!r}. Use a whole number from {least} to {most}.")


def words(name: str, default: str = "") -> list[str]:
    """Return the comma-separated parts of the variable, without blanks."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def hostname(url: str) -> str:
    """Return the host of an address as it stands in a Host header, without the port.

    Raises: ImproperlyConfigured when it is not an http or https address of a host alone.
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.scheme not in {"http", "https"} or parts.path.strip("/") or parts.query or parts.username:
        raise ImproperlyConfigured(
            f"PUBLIC_URL is {url!r}. It must look like https://blockyou.example.org, without a path."
        )
    return f"[{host}]" if ":" in host else host


def secret(name: str, *, stored: Path | None = None, least: int = 50) -> str:
    """Return a secret of at least `least` characters, at least 10 of them different, from the variable or a file.

    Raises: ImproperlyConfigured, never showing the value.
    """
    is_stored = not os.environ.get(name, "").strip() and stored is not None and stored.exists()
    value = stored.read_text().strip() if stored and is_stored else text(name)
    if len(value) < least or len(set(value)) < 10 or value.startswith("django-insecure"):
        raise ImproperlyConfigured(f"{name} is too short or too plain: use at least {least} random characters.")
    return value


def email(name: str) -> Mapping[str, object]:
    """Return Django's e-mail settings from an URL such as smtp://user:password@host:587/?tls=on.

    Schemes: console, smtp, smtp+tls (STARTTLS) and smtps (TLS from the first byte). Nothing set means console.
    Raises: ImproperlyConfigured.
    """
    url = urlsplit(text(name, "console://"))
    if url.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if url.scheme not in {"smtp", "smtp+tls", "smtps"} or not url.hostname:
        raise ImproperlyConfigured(f"{name} must look like smtp+tls://user:password@host:587/ or console://.")
    query = parse_qs(url.query)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or (465 if url.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls" or query.get("tls") == ["on"],
        "EMAIL_USE_SSL": url.scheme == "smtps",
        "EMAIL_TIMEOUT": 20,
    }
