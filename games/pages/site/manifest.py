"""The site as an installable app: name, icons, colours, start page."""

from typing import NamedTuple, TypedDict

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext

#: The colour of the page in light and dark, for the browser's own frame; stylesheets have it as a token.
PAGE_COLOURS = {"light": "#f4eee2", "dark": "#16120e"}

ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


class Screen(NamedTuple):
    """A picture of the site on a kind of screen, made by `make icons`; sides in points of the picture."""

    name: str
    width: int
    height: int


#: Their names are the kinds of screen that browsers know.
SCREENS = (Screen("narrow", 720, 1480), Screen("wide", 1280, 800))


class Icon(TypedDict):
    """An icon of the app."""

    src: str
    sizes: str
    type: str
    purpose: str


class Screenshot(TypedDict):
    """A picture of the app that is shown before it is installed."""

    src: str
    sizes: str
    type: str
    form_factor: str
    label: str


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
    screenshots: list[Screenshot]
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
        "screenshots": [_screenshot(screen) for screen in SCREENS],
        "shortcuts": [
            {"name": gettext("My games"), "url": reverse("my-games")},
            {"name": gettext("New game"), "url": reverse("new-game")},
        ],
    }


def _screenshot(screen: Screen) -> Screenshot:
    return {
        "src": static(f"site/screens/{screen.name}.png"),
        "sizes": f"{screen.width}x{screen.height}",
        "type": "image/png",
        "form_factor": screen.name,
        "label": gettext("A game on a phone") if screen.name == "narrow" else gettext("A game on a desk"),
    }


def _icon(name: str, size: int, purpose: str) -> Icon:
    source = static(f"site/icons/{name}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
