"""Tags for what is passed on from one person to another."""

from dataclasses import dataclass
from typing import Any

from django import template
from django.urls import reverse

from games.drawing.qr import QrCode, qr_code

register = template.Library()


@dataclass(frozen=True)
class InvitationLink:
    """The whole address of an invitation, and its picture."""

    address: str
    code: QrCode


@register.simple_tag(takes_context=True)
def invitation_link(context: dict[str, Any], token: str) -> InvitationLink:
    """Return the link with this token on the site that the request came to."""
    return _link(context, reverse("invitation", args=[token]))


@register.simple_tag(takes_context=True)
def group_link(context: dict[str, Any], token: str) -> InvitationLink:
    """Return the link that leads into the group with this token, likewise."""
    return _link(context, reverse("group-join", args=[token]))


@register.simple_tag(takes_context=True)
def child_link(context: dict[str, Any], secret: str) -> InvitationLink:
    """Return the link that logs a child's device in, likewise."""
    return _link(context, reverse("child-enter", args=[secret]))


def _link(context: dict[str, Any], path: str) -> InvitationLink:
    address = context["request"].build_absolute_uri(path)
    return InvitationLink(address, qr_code(address))
