"""A table's webhook: setting it, trying it, ending it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import count_use
from games.actions.people.set_chat import NO_MEMBER, set_chat
from games.actions.people.set_chat import remove_chat as _remove_chat
from games.base import access
from games.errors import BadRequest, NotSeated, WrongStatus
from games.pages.notifications.webhook import webhook_page
from games.queries.webhooks import webhook_of
from games.table.counting import WEBHOOKS_AN_HOUR
from games.tasks import enqueue_test_post

#: How many test messages one person may send in an hour.
TESTS_AN_HOUR = 10


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def webhook(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a table's webhook to the players at it; a POST sets its address, or shows what was typed again."""
    user = person(request)
    game = access.game_to_view(user, slug)
    if not access.is_member(user, game):
        raise NotSeated(NO_MEMBER)
    if request.method == "POST":
        count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
        address = request.POST.get("address", "").strip()
        try:
            set_chat(user, slug, address, now=timezone.now())
        except BadRequest as refusal:
            context = {"page": webhook_page(game, user), "sent": address, "refusal": refusal}
            return render(request, "games/webhook/page.html", context, status=400)
        messages.success(request, _("Your chat is set. Send a test message to see whether it arrives."))
        return redirect("game-webhook", slug)
    return render(request, "games/webhook/page.html", {"page": webhook_page(game, user)})


@require_POST
@login_required
def remove_chat(request: HttpRequest, slug: str) -> HttpResponse:
    """Post nothing about a game any more."""
    user = person(request)
    count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _remove_chat(user, slug)
    messages.success(request, _("Nothing is posted about this game any more."))
    return redirect("game-webhook", slug)


@require_POST
@login_required
def try_chat(request: HttpRequest, slug: str) -> HttpResponse:
    """Post a message that shows whether messages arrive.

    Raises:
        NotFound, NotSeated: another person's table.
        WrongStatus: no address of the person is set.

    """
    user = person(request)
    game = access.game_to_view(user, slug)
    if not access.is_member(user, game):
        raise NotSeated(NO_MEMBER)
    hook = webhook_of(game.pk)
    if hook is None:
        raise WrongStatus(_("No chat is set for this game."), code="no-webhook")
    count_use(f"webhook-test:{user.pk}", TESTS_AN_HOUR, 3600)
    enqueue_test_post(hook.pk)
    messages.success(request, _("The test message is on its way. Reload this page to see how it went."))
    return redirect("game-webhook", slug)
