"""What the pages of all channels do: take the address of one, and the answer of those who are asked about it."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.errors import BadRequest
from games.pages.groups.channel import ChannelPage
from games.pages.groups.pages import NamedGroup
from games.pages.notices.game_channel import GameChannelPage

ChannelContext = dict[str, GameChannelPage | ChannelPage | NamedGroup]

#: How many digits the number of a channel has at most.
LONGEST_CHANNEL_NUMBER = 18


def channel_response(
    request: HttpRequest,
    template: str,
    shown: Callable[[], ChannelContext],
    set_address: Callable[[str], object],
    done: str,
) -> HttpResponse:
    """Return the page of a channel. A POST sets its address and then says what is `done`, or shows what was typed."""
    refusal, address = None, request.POST.get("address", "").strip()
    if request.method == "POST":
        try:
            set_address(address)
        except BadRequest as error:
            refusal = error
        else:
            messages.success(request, done)
            return redirect(request.path)
    return render(
        request, template, {**shown(), "sent": address, "refusal": refusal}, status=refusal.status if refusal else 200
    )


def channel_answered(request: HttpRequest) -> int:
    """Return the number of the channel that an answer is about.

    Raises:
        BadRequest: the request has none (`field` is channel).

    """
    text = request.POST.get("channel", "")
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_CHANNEL_NUMBER):
        raise incomplete_answer()
    return int(text)


def incomplete_answer() -> BadRequest:
    """Return the refusal of an answer that says too little."""
    return BadRequest(_("This page sent an incomplete request. Reload it and try again."), field="channel")
