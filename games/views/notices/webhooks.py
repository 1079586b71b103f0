"""A person's own webhooks: making one, trying it, removing it."""

from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import members_only, own_bot_of, person
from accounts.limits import count_use
from accounts.models import User
from games.actions.notices.add_webhook import NO_WEBHOOK, add_webhook
from games.actions.notices.add_webhook import remove_webhook as _remove_webhook
from games.errors import BadRequest, NotFound, WrongStatus
from games.pages.notices.webhooks import receivers_page
from games.queries.notices.webhooks import own_receiver
from games.table.counting import RECEIVER_TESTS_AN_HOUR, RECEIVERS_AN_HOUR
from games.tasks import enqueue_test_event


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_webhooks(request: HttpRequest) -> HttpResponse:
    """Show the webhooks of a person and of their bots, and make one: its secret is on the page that answers alone."""
    user, secret, refusal = person(request), "", None
    address, player = request.POST.get("address", "").strip(), request.POST.get("player", "")
    if request.method == "POST":
        count_use(f"receivers:{user.pk}", RECEIVERS_AN_HOUR, 3600)
        try:
            secret = add_webhook(_told_of(user, player), address, now=timezone.now()).secret
        except (BadRequest, WrongStatus) as error:
            refusal = error
    context = {
        "page": receivers_page(user, secret),
        "refusal": refusal,
        "address": address if refusal else "",
        "player": player,
    }
    return render(request, "games/webhooks/page.html", context, status=refusal.status if refusal else 200)


def _told_of(user: User, player: str) -> User:
    """Return the account that a webhook is to tell of: the person's own, or a bot of theirs by its number."""
    own = str(user.pk)
    return user if player in {"", own} or not player.isdecimal() else own_bot_of(user, int(player))


@require_POST
@members_only
def remove_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Send nothing any more to a webhook; one that has gone already stays gone."""
    if _remove_webhook(person(request), pk):
        messages.success(request, _("The webhook is removed. Nothing is sent to it any more."))
    return HttpResponseRedirect(get_next_redirect_url(request) or reverse("own-webhooks"))


@require_POST
@members_only
def try_own_webhook(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a webhook a message that shows whether messages arrive.

    Raises:
        NotFound: it is another person's.

    """
    user = person(request)
    receiver = own_receiver(user, pk)
    if receiver is None:
        raise NotFound(NO_WEBHOOK)
    count_use(f"receiver-test:{user.pk}", RECEIVER_TESTS_AN_HOUR, 3600)
    enqueue_test_event(receiver.pk)
    messages.success(request, _("The test message is on its way. Reload this page to see how it went."))
    return redirect("own-webhooks")
