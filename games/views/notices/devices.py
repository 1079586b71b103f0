"""Notices on the device that asks: switching them on and off, and trying them."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import count_use
from accounts.offline import login_label
from accounts.readers import languages
from games.actions.notices.forget_device import forget_device as _forget_device
from games.actions.notices.keep_device import Device, keep_device
from games.errors import WrongStatus
from games.notifications.channels.webpush.vapid import public_key
from games.queries.notices.devices import device_number, endpoint_of
from games.tasks import enqueue_test_notice
from games.views.view_request import remember_answer

#: What one person may do to their devices in an hour.
CHANGES_AN_HOUR, TESTS_AN_HOUR = 60, 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def device(request: HttpRequest) -> HttpResponse:
    """Say what this device needs to subscribe and where it is sent notices; a POST switches them on.

    The token and the label of the login are for the service worker: no page is there to have them when a browser renews
    its subscription, or sends a move that was made without a network.
    """
    user, session = person(request), request.session
    if request.method != "POST":
        endpoint = endpoint_of(user.pk, session.session_key)
        token, login = get_token(request), login_label(request)
        return JsonResponse({"key": public_key(), "token": token, "endpoint": endpoint, "login": login})
    count_use(f"device:{user.pk}", CHANGES_AN_HOUR, 3600)
    found = Device(*(request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")))
    keep_device(user, session.session_key or "", found, language=languages.reading(), now=timezone.now())
    remember_answer(request, wants_notices=True)
    return HttpResponse(status=204)


@require_POST
@login_required
def forget_device(request: HttpRequest) -> HttpResponse:
    """Switch notices off on this device, or do not switch them on; it is not offered again."""
    user = person(request)
    count_use(f"device:{user.pk}", CHANGES_AN_HOUR, 3600)
    _forget_device(user, request.session.session_key)
    remember_answer(request, wants_notices=False)
    return HttpResponse(status=204)


@require_POST
@login_required
def try_out(request: HttpRequest) -> HttpResponse:
    """Send this device a notice that shows whether notices arrive.

    Raises:
        WrongStatus: this device is sent no notices.

    """
    user = person(request)
    count_use(f"device-test:{user.pk}", TESTS_AN_HOUR, 3600)
    number = device_number(user.pk, request.session.session_key)
    if number is None:
        raise WrongStatus(_("Notices are off on this device. Turn them on first."), code="no-device")
    enqueue_test_notice(number)
    return HttpResponse(status=204)
