"""The bots: all of them, and a page for each."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.pages.guide import bots as bot_pages


@require_safe
def bots(request: HttpRequest) -> HttpResponse:
    """Show the ladder."""
    context = {"rungs": bot_pages.rung_views(), "characters": bot_pages.character_views()}
    return render(request, "games/bots/page.html", context)


@require_safe
def bot(request: HttpRequest, bot: str) -> HttpResponse:
    """Show what there is to know of a bot."""
    return render(request, "games/bots/bot.html", {"bot": bot_pages.bot_page(bot)})
