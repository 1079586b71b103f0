"""What templates of people may ask for."""

from django.conf import settings
from django.http import HttpRequest

from accounts import languages


def people(request: HttpRequest) -> dict[str, object]:
    """Return whether this site sends e-mail, the address under which it is known, and its other languages.

    `here` is where to come back to once another one is chosen.
    """
    return {
        "email_is_set": settings.EMAIL_IS_SET,
        "public_url": settings.PUBLIC_URL,
        "languages": languages.others(),
        "here": request.get_full_path() if request.method in {"GET", "HEAD"} else "/",
    }
