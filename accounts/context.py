"""What templates of people may ask for."""

from django.conf import settings
from django.http import HttpRequest

from accounts.models import User
from accounts.offline import login_label
from accounts.readers import languages, zones
from accounts.sessions import has_unread_change


def people(request: HttpRequest) -> dict[str, object]:
    """Return whether this site sends e-mail, its address, its release, and its other languages.

    `sign_on` is what the host's own sign-on is called, "" where there is none, and `sign_up` who may make an account.
    `here` is where to come back to once another one is chosen, `login_label` what scripts know the login by, and
    `visitor_zone` the time zone that the browser has guessed for somebody without a login, `has_unread_change` whether
    something about the person's log-in has changed that this browser has not shown.
    """
    label = login_label(request)
    changed_at = request.user.keys_changed_at if label and isinstance(request.user, User) else None
    return {
        "email_is_set": settings.EMAIL_IS_SET,
        "sign_on": settings.SIGN_ON["name"] if settings.SIGN_ON else "",
        "sign_up": settings.SIGN_UP,
        "public_url": settings.PUBLIC_URL,
        "release": settings.RELEASE,
        "languages": languages.others(),
        "visitor_zone": zones.guess_of(request),
        "login_label": label,
        "has_unread_change": bool(changed_at) and has_unread_change(request.session, changed_at),
        "here": request.get_full_path() if request.method in {"GET", "HEAD"} else "/",
    }
