"""What the frame of every page asks for."""

from typing import Any

from django import template
from django.contrib.messages import constants
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.queries.manifest import PAGE_COLOURS
from games.queries.my_games import count_waiting

register = template.Library()

TONES = {constants.SUCCESS: "good", constants.WARNING: "bad", constants.ERROR: "bad"}


@register.filter
def tone(level: int) -> str:
    """Return the tone of a message's level."""
    return TONES.get(level, "info")


@register.simple_tag
def page_colours(theme: str) -> SafeString:
    """Return what tells the browser how to colour the frame around the page, for one theme or as the device has it."""
    if theme in PAGE_COLOURS:
        return format_html('<meta name="theme-color" content="{}">', PAGE_COLOURS[theme])
    tag = '<meta name="theme-color" content="{1}" media="(prefers-color-scheme: {0})">'
    return format_html_join("\n", tag, PAGE_COLOURS.items())


@register.simple_tag(takes_context=True)
def waiting(context: dict[str, Any]) -> int:
    """Return how many games wait for the person who asked (one query; none for a stranger)."""
    user = getattr(context.get("request"), "user", None)
    return count_waiting(user) if user is not None and user.is_authenticated else 0


@register.simple_tag(takes_context=True)
def current(context: dict[str, Any], name: str) -> SafeString:
    """Return the attribute that marks the navigation's link to the page we are on."""
    match = getattr(context.get("request"), "resolver_match", None)
    is_here = match is not None and match.url_name == name
    return format_html(' aria-current="{}"', "page") if is_here else SafeString("")
