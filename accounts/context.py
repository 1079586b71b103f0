"""What templates of people may ask for."""

from django.conf import settings
from django.http import HttpRequest


def people(request: HttpRequest) -> dict[str, object]:
    """Return whether this site sends e-mail, and the address under which it is known."""
    return {"email_is_set": settings.EMAIL_IS_SET, "public_url": settings.PUBLIC_URL}
