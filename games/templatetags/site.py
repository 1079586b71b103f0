"""Tags for the frame of every page."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.contrib.messages import constants
from django.forms import BaseForm, BoundField
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.readers import languages
from games.notifications.kinds import kind_called
from games.pages.board.faces import Face, person_face
from games.pages.site.manifest import PAGE_COLOURS
from games.queries.people.going import count_waiting
from games.queries.puzzles.days import today_of

register = template.Library()

TONES = {constants.SUCCESS: "good", constants.WARNING: "bad", constants.ERROR: "bad"}


@register.filter
def tone(level: int) -> str:
    """Return the tone of a message's level."""
    return TONES.get(level, "info")


@register.filter(expects_localtime=True)
def to_the_second(moment: datetime) -> str:
    """Return a moment as `datetime` takes it: HTML has at most three digits after the point, Python six."""
    return moment.isoformat(timespec="seconds")


@dataclass(frozen=True)
class FormFault:
    """What is wrong with a form: a sentence, and the field it is about by its label and the id of its control.

    Label and target are empty for what is wrong with the form as a whole.
    """

    sentence: str
    label: str = ""
    target: str = ""


@register.filter
def form_faults(form: BaseForm) -> list[FormFault]:
    """Return what is wrong with a form, the form as a whole first, then its fields in their order on the page."""
    found = [FormFault(str(sentence)) for sentence in form.non_field_errors()]
    return found + [_fault(field, str(sentence)) for field in form for sentence in field.errors]


def _fault(field: BoundField, sentence: str) -> FormFault:
    if field.is_hidden:
        return FormFault(sentence)
    label = field.field.widget.attrs.get("aria-label") or field.label
    # A group of buttons has no id of its own: its first button stands for it.
    return FormFault(sentence, str(label), field.id_for_label or f"{field.auto_id}_0")


@register.simple_tag(takes_context=True)
def page_address(context: dict[str, Any], path: str = "") -> str:
    """Return where everybody finds this page, or another path of the site: the public address, without a query."""
    return settings.PUBLIC_URL + (path or context["request"].path)


@register.simple_tag(takes_context=True)
def search_links(context: dict[str, Any]) -> SafeString:
    """Return what tells search engines where this page is: its own address, and that of each language it is read in.

    An address that asks for more than a language shows a part or a moment of the page, which has no languages apart.
    """
    request, page = context["request"], page_address(context)
    named = languages.named_in(request)
    own = format_html('<link rel="canonical" href="{}">', f"{page}?language={named}" if named else page)
    if request.GET.keys() - {"language"}:
        return own
    read_in = [("x-default", page), *((code, f"{page}?language={code}") for code, _name in settings.LANGUAGES)]
    return own + format_html_join("", '\n<link rel="alternate" hreflang="{}" href="{}">', read_in)


@register.simple_tag
def puzzle_to_keep() -> str:
    """Return the address of the puzzle of today, which devices that open the page keep (no query)."""
    return reverse("puzzle", args=[today_of(timezone.now()).isoformat()])


@register.simple_tag
def page_colours(theme: str) -> SafeString:
    """Return the elements with the colour of the browser's frame, for one theme or for the device's own."""
    if theme in PAGE_COLOURS:
        return format_html('<meta name="theme-color" content="{}">', PAGE_COLOURS[theme])
    tag = '<meta name="theme-color" content="{1}" media="(prefers-color-scheme: {0})">'
    return format_html_join("\n", tag, PAGE_COLOURS.items())


@register.simple_tag(takes_context=True)
def turns_waiting(context: dict[str, Any]) -> int:
    """Return how many games wait for the person (one query; none without a login)."""
    user = getattr(context.get("request"), "user", None)
    return count_waiting(user) if user is not None and user.is_authenticated else 0


@register.simple_tag
def notice_kind(key: str) -> str:
    """Return what a kind of notices is called, empty for one that there is no more."""
    kind = kind_called(key)
    return str(kind.label) if kind else ""


@register.simple_tag(takes_context=True)
def own_face(context: dict[str, Any]) -> Face | None:
    """Return the face of the person who is logged in (no query)."""
    user = getattr(context.get("request"), "user", None)
    if user is None or not user.is_authenticated:
        return None
    return person_face(user.username, user.pk, user.own_mark, user.own_tint)


@register.simple_tag(takes_context=True)
def face_with(context: dict[str, Any], mark: str, tint: str) -> Face:
    """Return the face that the person who is logged in would have with a mark and a colour of their own (no query)."""
    user = context["request"].user
    return person_face(user.username, user.pk, mark, tint)


@register.simple_tag(takes_context=True)
def embed_code(context: dict[str, Any], slug: str, name: str) -> SafeString:
    """Return the markup that shows a game on another site's page."""
    address = context["request"].build_absolute_uri(reverse("embed", args=[slug]))
    code = '<iframe src="{}" title="{} · {}" width="360" height="600" loading="lazy"></iframe>'
    return format_html(code, address, name, gettext("Block-You"))


@register.simple_tag(takes_context=True)
def current_page(context: dict[str, Any], name: str) -> SafeString:
    """Return the attribute that marks the navigation's link to the current page."""
    match = getattr(context.get("request"), "resolver_match", None)
    is_here = match is not None and match.url_name == name
    return format_html(' aria-current="{}"', "page") if is_here else SafeString("")
