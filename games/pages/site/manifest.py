"""The site as an installable app: name, icons, colours, start page."""

from typing import TypedDict

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext

#: The colour of the page in light and dark, for the browser's own frame; stylesheets have it as a token.
PAGE_COLOURS = {"light": "#f4eee2", "dark": "#16120e"}

ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


class Icon(TypedDict):
    """An icon of the app."""

    src: str
    sizes: str
    type: str
    purpose: str


class Shortcut(TypedDict):
    """A page that the app can be opened at."""

    name: str
    url: str


class Manifest(TypedDict):
    """What browsers read of a web app (https://www.w3.org/TR/appmanifest/)."""

    id: str
    name: str
    short_name: str
    description: str
    lang: str | None
    start_url: str
    scope: str
    display: str
    background_color: str
    theme_color: str
    categories: list[str]
    prefer_related_applications: bool
    icons: list[Icon]
    shortcuts: list[Shortcut]


def web_manifest() -> Manifest:
    """Return the web app manifest."""
    return {
        "id": reverse("home"),
        "name": gettext("Block-You"),
        "short_name": gettext("Block-You"),
        "description": gettext(
            "Play Block-You, a game of corners for two to four players, at your own pace, with friends and bots."
        ),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": PAGE_COLOURS["light"],
        "theme_color": PAGE_COLOURS["light"],
        "categories": ["games"],
        "prefer_related_applications": False,
        "icons": [_icon(*icon) for icon in ICONS],
        "shortcuts": [
            {"name": gettext("My games"), "url": reverse("my-games")},
            {"name": gettext("New game"), "url": reverse("new-game")},
        ],
    }


def _icon(name: str, size: int, purpose: str) -> Icon:
    source = static(f"site/icons/{name}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
