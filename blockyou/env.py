"""Typed readers of the environment: a missing or senseless value is one clear sentence, never a guess."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "on", "true", "yes"})
FALSE = frozenset({"0", "off", "false", "no"})


def command() -> str:
    """Return which management command this process runs, by hand or for the supervisor; empty where it runs none."""
    # The supervisor's child has its niceness before it.
    words = [word for word in sys.argv[1:3] if not word.isdigit()]
    return words[0] if words else ""


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


def flag_or(name: str, default: bool, word: str) -> bool | str:
    """Return the variable as a yes, a no, or this word.

    Raises: ImproperlyConfigured for any other word.
    """
    value = text(name, "on" if default else "off").lower()
    if value in (*TRUE, *FALSE):
        return value in TRUE
    if value == word:
        return word
    raise ImproperlyConfigured(f"{name} is {value!r}. Use on, off or {word}.")


def integer(name: str, default: int, *, least: int, most: int) -> int:
    """Return the variable as a whole number from least to most, both included.

    Raises: ImproperlyConfigured.
    """
    value = text(name, str(default))
    if value.isascii() and value.isdigit() and len(value) < 12 and least <= int(value) <= most:
        return int(value)
    raise ImproperlyConfigured(f"{name} is {value!r}. Use a whole number from {least} to {most}.")


def choice(name: str, default: str, choices: Sequence[str]) -> str:
    """Return the variable as one of some words, whatever its case.

    Raises: ImproperlyConfigured for any other.
    """
    value = text(name, default).lower()
    if value in choices:
        return value
    raise ImproperlyConfigured(f"{name} is {value!r}. Use {', '.join(choices[:-1])} or {choices[-1]}.")


def slug(name: str, default: str) -> str:
    """Return the variable as a part of an address: letters, digits and hyphens.

    Raises: ImproperlyConfigured.
    """
    value = text(name, default).strip("/")
    if re.fullmatch(r"[A-Za-z0-9-]{1,60}", value):
        return value
    raise ImproperlyConfigured(f"{name} is {value!r}. Use letters, digits and hyphens.")


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


def push_key(name: str, *, stored: Path) -> str:
    """Return a private key for web push, 32 bytes in base64url, from the variable or a file; "" where there is neither.

    Raises: ImproperlyConfigured, never showing the value.
    """
    value = text(name, "") or (stored.read_text().strip() if stored.exists() else "")
    if value and not re.fullmatch(r"[A-Za-z0-9_-]{43}=?", value):
        raise ImproperlyConfigured(f"{name} is no key for web push: use what is in {stored.name} of another host.")
    return value


def contact(name: str) -> str:
    """Return how to reach somebody, as an address that begins with mailto: or https://; empty where none is set.

    Raises: ImproperlyConfigured.
    """
    value = text(name, "")
    value = f"mailto:{value}" if re.fullmatch(r"[^\s@:/]+@[^\s@:/]+", value) else value
    if value and not re.fullmatch(r"(?:mailto:[^\s@]+@[^\s@]+|https://\S+)", value):
        raise ImproperlyConfigured(f"{name} is {value!r}. Use an e-mail address, or a page that begins with https://.")
    return value


def paragraphs(name: str) -> tuple[str, ...]:
    """Return the paragraphs of a text file, which blank lines part; none where no file is set.

    Raises: ImproperlyConfigured.
    """
    path = text(name, "")
    if not path:
        return ()
    try:
        found = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name} is {path}, and no text in UTF-8 can be read there.") from error
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", found) if part.strip())


def email(name: str) -> Mapping[str, object]:
    """Return Django's e-mail settings from an URL such as smtp://user:password@host:587/?tls=on.

    Schemes: console, file (a folder, each mail a file in it), smtp, smtp+tls (STARTTLS) and smtps (TLS from the first
    byte). Nothing set means that none are sent, nor printed: links that log in belong in no log.
    Raises: ImproperlyConfigured.
    """
    if not text(name, ""):
        return {"EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend"}
    url = urlsplit(text(name))
    if url.scheme == "console":
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
    if url.scheme == "file" and not url.netloc and url.path.strip("/"):
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": unquote(url.path),
        }
    if url.scheme not in {"smtp", "smtp+tls", "smtps"} or not url.hostname:
        raise ImproperlyConfigured(
            f"{name} must look like smtp+tls://user:password@host:587/, file:///folder or console://."
        )
    query = parse_qs(url.query)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": url.hostname,
        "EMAIL_PORT": url.port or (465 if url.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(url.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(url.password or ""),
        "EMAIL_USE_TLS": url.scheme == "smtp+tls" or query.get("tls") == ["on"],
        "EMAIL_USE_SSL": url.scheme == "smtps",
        "EMAIL_TIMEOUT": 8,
    }


def provider(issuer: str, client: str, secret: str, name: str) -> Mapping[str, str]:
    """Return a provider of OpenID Connect by these values of `OIDC_`: its issuer, as it calls itself, the client, the
    secret, and what its button says. Empty where none is set.

    Raises: ImproperlyConfigured, never showing the secret.
    """
    found = {"OIDC_ISSUER": issuer, "OIDC_CLIENT": client, "OIDC_SECRET": secret}
    if not any(found.values()):
        return {}
    missing = [variable for variable, value in found.items() if not value]
    if missing:
        raise ImproperlyConfigured(f"{missing[0]} is not set. A sign-on needs {', '.join(found)}.")
    try:
        parts = urlsplit(issuer)
        is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    except ValueError:
        parts, is_here = urlsplit(""), False
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_here)
    if not is_safe or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ImproperlyConfigured(
            f"OIDC_ISSUER is {issuer!r}. It must look like https://login.example.org, as the provider writes it."
        )
    return {"issuer": issuer, "client": client, "secret": secret, "name": (name or parts.hostname)[:40]}
