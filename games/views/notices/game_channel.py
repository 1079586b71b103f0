"""A table's channel: setting it, trying it, ending it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.notices.agree_to_channel import agree_to_channel as _agree_to_channel
from games.actions.notices.set_game_channel import remove_game_channel as _remove_game_channel
from games.actions.notices.set_game_channel import set_game_channel
from games.base import access
from games.errors import WrongStatus
from games.pages.notices.game_channel import game_channel_page
from games.queries.notices.channels import game_channel_of
from games.table.counting import count_channel, count_channel_test
from games.tasks import enqueue_test_post
from games.views.notices.channel_address import channel_answered, channel_response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def game_channel(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a table's channel to the players at it; a POST sets its address, or shows what was typed again."""
    user = person(request)
    game = access.game_to_view(user, slug)
    access.check_member(user, game)
    if request.method == "POST":
        count_channel(user, client(request))
    return channel_response(
        request,
        "games/channel/page.html",
        lambda: {"page": game_channel_page(game, user)},
        lambda address: set_game_channel(user, slug, address, now=timezone.now()),
        _("Your channel is set. Send a test message to see whether it arrives."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def moved_channel(_request: HttpRequest, slug: str, rest: str = "") -> HttpResponse:
    """Send what asks for the page by its former address to the one that it has now, whatever its method."""
    return redirect(reverse("game-channel", args=[slug]) + rest, permanent=True, preserve_request=True)


@require_POST
@login_required
def remove_game_channel(request: HttpRequest, slug: str) -> HttpResponse:
    """Post nothing about a game, before the first message or from now on."""
    user = person(request)
    count_channel(user, client(request))
    _remove_game_channel(user, slug, now=timezone.now())
    messages.success(request, _("Nothing is posted about this game."))
    return redirect("game-channel", slug)


@require_POST
@login_required
def agree_to_channel(request: HttpRequest, slug: str) -> HttpResponse:
    """Agree that a game is posted to the channel that another player has set."""
    user = person(request)
    count_channel(user, client(request))
    _agree_to_channel(user, slug, channel=channel_answered(request), now=timezone.now())
    messages.success(request, _("You agreed."))
    return redirect("game", slug)


@require_POST
@login_required
def try_game_channel(request: HttpRequest, slug: str) -> HttpResponse:
    """Post a message that shows whether messages arrive.

    Raises:
        NotFound, NotSeated: another person's table.
        WrongStatus: no address of the person is set.

    """
    user = person(request)
    game = access.game_to_view(user, slug)
    access.check_member(user, game)
    channel = game_channel_of(game.pk)
    if channel is None:
        raise WrongStatus(_("No channel is set for this game."), code="no-webhook")
    count_channel_test(user, client(request))
    enqueue_test_post(channel.pk)
    messages.success(request, _("The test message is on its way. Reload this page to see how it went."))
    return redirect("game-channel", slug)
