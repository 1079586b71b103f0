"""The site as an app: name, icons, colours, where it begins."""

from typing import Any

from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext

#: The colour of the page in light and dark: the tokens say them to the styles, this to the frame around the page.
PAGE_COLOURS = {"light": "#f3f4f1", "dark": "#0f1114"}

ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


def manifest() -> dict[str, Any]:
    """Return the web app manifest."""
    return {
        "id": reverse("home"),
        "name": gettext("Block-You"),
        "short_name": gettext("Block-You"),
        "description": gettext(
            "Play Block-You, a game of corners for two to four, at your own pace, with friends and bots."
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


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    source = static(f"site/icons/{name}.png")
    return {"src": source, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
