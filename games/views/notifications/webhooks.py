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
from games.actions.people.agree_to_chat import agree_to_chat as _agree_to_chat
from games.actions.people.set_chat import remove_chat as _remove_chat
from games.actions.people.set_chat import set_chat
from games.base import access
from games.errors import BadRequest, WrongStatus
from games.pages.notifications.webhook import webhook_page
from games.queries.notices.webhooks import webhook_of
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
    access.check_member(user, game)
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
    """Post nothing about a game, before the first message or from now on."""
    user = person(request)
    count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _remove_chat(user, slug, now=timezone.now())
    messages.success(request, _("Nothing is posted about this game."))
    return redirect("game-webhook", slug)


@require_POST
@login_required
def agree_to_chat(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree that a game is posted to the chat that another player has set."""
    user = person(request)
    count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    text = request.POST.get("chat", "")
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="chat")
    _agree_to_chat(user, slug, chat=int(text), now=timezone.now())
    messages.success(request, _("You agreed."))
    return redirect("game", slug)


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
    access.check_member(user, game)
    hook = webhook_of(game.pk)
    if hook is None:
        raise WrongStatus(_("No chat is set for this game."), code="no-webhook")
    count_use(f"webhook-test:{user.pk}", TESTS_AN_HOUR, 3600)
    enqueue_test_post(hook.pk)
    messages.success(request, _("The test message is on its way. Reload this page to see how it went."))
    return redirect("game-webhook", slug)
