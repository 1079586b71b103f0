"""The channel of a group: setting it, answering it, ending it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.groups.answer_group_channel import answer_group_channel as _answer_group_channel
from games.actions.groups.remove_group_channel import remove_group_channel as _remove_group_channel
from games.actions.groups.set_group_channel import set_group_channel
from games.pages.groups.channel import channel_page
from games.pages.groups.pages import named_group
from games.table.counting import count_channel
from games.views.notices.channel_address import channel_answered, channel_response, incomplete_answer


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def group_channel(request: HttpRequest, group: str) -> HttpResponse:
    """Show the channel of a group to its members; a POST sets its address, or shows what was typed again."""
    user = person(request)
    if request.method == "POST":
        count_channel(user, client(request))
    return channel_response(
        request,
        "games/groups/channel.html",
        lambda: {"page": channel_page(user, group), "group": named_group(user, group)},
        lambda address: set_group_channel(user, group, address),
        _("The channel is set. The next table that opens is posted there."),
    )


@require_POST
@login_required
def answer_group_channel(request: HttpRequest, group: str) -> HttpResponse:
    """Say for all tables of a group whether the reader's may be posted to its channel: `agrees` is yes or no."""
    user = person(request)
    count_channel(user, client(request))
    channel, answer = channel_answered(request), request.POST.get("agrees", "")
    if answer not in ("yes", "no"):
        raise incomplete_answer()
    _answer_group_channel(user, group, channel=channel, agrees=answer == "yes")
    messages.success(request, _("Saved."))
    return redirect("group", group)


@require_POST
@login_required
def remove_group_channel(request: HttpRequest, group: str) -> HttpResponse:
    """Post nothing about the tables of a group any more."""
    user = person(request)
    count_channel(user, client(request))
    _remove_group_channel(user, group)
    messages.success(request, _("Nothing is posted about the tables of this group."))
    return redirect("group-channel", group)
