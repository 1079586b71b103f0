"""Which language a person reads: the one they chose, else the one that their browser asks for."""

from operator import attrgetter
from urllib.parse import parse_qs, urlsplit

from allauth.account.utils import filter_users_by_email
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.models import User


def is_offered(code: str) -> bool:
    """Whether the site is written in this language."""
    return code in dict(settings.LANGUAGES)


def reading() -> str:
    """Return the language of the page that is being made."""
    return get_language() or settings.LANGUAGE_CODE


def named_in(request: HttpRequest) -> str:
    """Return the language that an address names (`?language=fr`), for a visitor who has not chosen one; else "".

    So each language of a page can be found and sent on; a choice of the reader's own comes before it. A part of a page
    is in the language of the page's address.
    """
    if settings.LANGUAGE_COOKIE_NAME in request.COOKIES:
        return ""
    code = request.GET.get("language", "") if request.method in {"GET", "HEAD"} else ""
    if not code and "HX-Request" in request.headers:
        code = _named_by(request.headers.get("HX-Current-URL", ""))
    return code if is_offered(code) else ""


def _named_by(address: str) -> str:
    try:
        return parse_qs(urlsplit(address).query).get("language", [""])[0]
    except ValueError:
        # It is no address.
        return ""


def others() -> list[tuple[str, str]]:
    """Return the languages that the page is not written in: code, and what each calls itself."""
    return [(code, str(name)) for code, name in settings.LANGUAGES if code != reading()]


def save_language(person: User, code: str) -> None:
    """Keep the language as the person's preference."""
    person.language = code
    person.save(update_fields=["language"])


def of_address(email: str, person: object = None) -> str:
    """Return the language for an e-mail to this address, no matter who causes it. One query unless the person is given.

    An address belongs to the account that has confirmed it, else to the oldest that names it: while another tries to
    sign up with it, there are two. A person who never chose, or who has no account, gets the language of the page that
    is being made.
    """
    owners = [] if person else filter_users_by_email(email, prefer_verified=True)
    reader = person or min(owners, key=attrgetter("pk"), default=None)
    chosen = getattr(reader, "language", "")
    return chosen if is_offered(chosen) else reading()
