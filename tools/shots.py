"""Take a picture of every page on three screens, light and dark, in every language: `make shots` writes to var/shots.

The pages are those that axe-core looks at, and more states of them, of a site of its own with people and games in
every state; then the moments that no address shows, and the pages people see most in other ways of looking.
Words after the command choose pages and moments by name: `python -m tools.shots game replay advice`.
"""

import re
import sys
import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.demo import VISITS, Demo
from tests.browser.moderated import CHILD_VISITS, DESK_VISITS, GUARDIAN_VISITS, SUSPENDED_VISITS
from tests.browser.people import WIDER, log_in_as
from tests.browser.site import ROOT, new_site
from tools.moments import MOMENTS

FOLDER = ROOT / "var" / "shots"
LANGUAGES = ("en", "fr")
PHONE: ViewportSize = {"width": 360, "height": 740}
TABLET: ViewportSize = {"width": 768, "height": 1024}
DESK: ViewportSize = {"width": 1280, "height": 800}
SMALLEST: ViewportSize = {"width": 320, "height": 640}


@dataclass(frozen=True)
class Look:
    """One way of looking at a page: a window, what the device asks for, and a style on top."""

    size: ViewportSize
    media: dict[str, Any] = field(default_factory=lambda: {"color_scheme": "light"})
    style: str = ""


LOOKS = {
    f"{name}-{scheme}": Look(size, {"color_scheme": scheme})
    for name, size in (("phone", PHONE), ("tablet", TABLET), ("desk", DESK))
    for scheme in ("light", "dark")
}
STRICT_LOOKS = {
    "phone-contrast": Look(PHONE, {"color_scheme": "light", "contrast": "more"}),
    "phone-contrast-dark": Look(PHONE, {"color_scheme": "dark", "contrast": "more"}),
    "phone-forced": Look(PHONE, {"color_scheme": "dark", "forced_colors": "active"}),
    "desk-forced": Look(DESK, {"color_scheme": "light", "forced_colors": "active"}),
    "phone-large": Look(PHONE, style="html { font-size: 200% }"),
    "desk-large": Look(DESK, style="html { font-size: 200% }"),
    "smallest": Look(SMALLEST),
}
#: What people see most, for the stricter looks.
MAIN = {
    "home": ["/"],
    "my-games": ["/games/"],
    "lobby": ["/lobby/"],
    "new-game": ["/games/new/", "/games/new/?variant=blockyou-4"],
    "game": ["/games/{Corner cases}/", "/games/{Sunday round}/", "/games/{Every last piece}/"],
    "review": ["/games/{Every last piece}/review/"],
    "preferences": ["/accounts/preferences/"],
}
#: States of pages that need no picture of the rules of accessibility, because others stand for them there.
MORE = {
    "new-game": ["/games/new/"],
    "my-games": ["/games/?only=turn", "/games/?only=waiting"],
    "game": [
        f"/games/{{{scene}}}/"
        for scene in (
            "Against the machines",
            "Last hour",
            "Just us two",
            "Behind closed doors",
            "Green for all",
            "Gone fishing",
            "Dead heat",
            "Greed and luck",
            "Three of a kind",
            "Six free corners",
            "Empty chairs",
            "thought",
        )
    ],
    "review": ["/games/{Dead heat}/review/"],
    "errors": ["/nowhere/", "/studies/no-such-study/"],
}
#: What is shown to one person alone, by the name of the session that sees it.
KEPT = {
    "desk": DESK_VISITS,
    "suspended": SUSPENDED_VISITS,
    "guardian": GUARDIAN_VISITS,
    "childs-session": CHILD_VISITS,
}


def main(names: Collection[str]) -> None:
    """Serve a site, and picture its pages and moments for everybody who sees them differently."""
    with tempfile.TemporaryDirectory(prefix="shots-") as folder, sync_playwright() as playwright:
        site = new_site(Path(folder))
        site.start()
        FOLDER.mkdir(parents=True, exist_ok=True)
        try:
            demo = Demo.on(site)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for language in LANGUAGES:
                picture_all(visitors(browser, demo, language), demo, names, language)
        finally:
            site.stop()


def visitors(browser: Browser, demo: Demo, language: str) -> dict[str, BrowserContext]:
    """Return browsers of a stranger, a guest, alice, alice without the board, and of those to whom more is shown."""
    found = {name: context(browser, language) for name in ("stranger", "guest", "alice")}
    guest = found["guest"].new_page()
    guest.goto(demo.site.url)
    guest.locator("form[action='/play-bots/'] button").first.click()
    guest.wait_for_url("**/games/*/")
    guest.close()
    log_in_as(found["alice"].new_page(), demo.site.url, "alice")
    found["spoken"] = context(browser, language, storage_state=found["alice"].storage_state())
    found["spoken"].add_cookies([{"name": "spoken", "value": "yes", "url": demo.site.url}])
    for name in KEPT:
        found[name] = context(browser, language)
        found[name].add_cookies([{"name": "sessionid", "value": demo.names[name], "url": demo.site.url}])
    return found


def context(browser: Browser, language: str, **options: Any) -> BrowserContext:
    """Return a new browser without motion, which takes styles from us too."""
    return browser.new_context(reduced_motion="reduce", locale=language, bypass_csp=True, **options)


def picture_all(browsers: dict[str, BrowserContext], demo: Demo, names: Collection[str], language: str) -> None:
    """Picture pages for each visitor, then the moments, then the main pages in stricter looks."""
    for name in [each for each in (*VISITS, "errors") if each in (names or (*VISITS, "errors"))]:
        for visitor in browsers:
            paths = [*seen_by(visitor, name, VISITS.get(name, [])), *seen_by(visitor, name, MORE.get(name, []))]
            picture_pages(browsers[visitor], demo, name, paths, LOOKS, f"{visitor} {language}")
    picture_kept(browsers, demo, names, language)
    for moment in [each for each in MOMENTS if each in (names or MOMENTS)]:
        picture_moment(browsers[MOMENTS[moment][0]], demo, moment, language)
    for name in [each for each in MAIN if each in (names or MAIN)]:
        picture_pages(browsers["alice"], demo, name, MAIN[name], STRICT_LOOKS, f"strict {language}")


def picture_kept(browsers: dict[str, BrowserContext], demo: Demo, names: Collection[str], language: str) -> None:
    """Picture what one person alone is shown, for that person."""
    for visitor, visits in KEPT.items():
        for name in [each for each in visits if each in (names or visits)]:
            picture_pages(browsers[visitor], demo, name, visits[name], LOOKS, f"{visitor} {language}")


def seen_by(visitor: str, name: str, paths: list[str]) -> list[str]:
    """Return which of the addresses this visitor sees as the others do not."""
    if visitor in KEPT:
        return []
    if visitor == "spoken":
        return paths if name in ("game", "game-ask") else []
    guests = {"home", "my-games", "account", "guest-claim", "own-name", "account_login", "account_logout", "history"}
    return paths if visitor != "guest" or name in guests else []


def picture_pages(
    browser: BrowserContext, demo: Demo, name: str, paths: list[str], looks: dict[str, Look], who: str
) -> None:
    """Write the pictures of the whole of some pages for one visitor, where the visitor is not led elsewhere."""
    page = browser.new_page()
    for number, path in enumerate((path.format_map(demo.names) for path in paths), start=1):
        page.goto(demo.site.url + path)
        if page.url == demo.site.url + path:
            label = slug(f"{name} {number} {state(demo, path)} {who}")
            for look in looks:
                picture(page, looks[look], f"{label}-{look}", full_page=True)
    page.close()


def picture_moment(browser: BrowserContext, demo: Demo, moment: str, language: str) -> None:
    """Write what a phone and a desk show at one moment, without scrolling."""
    _who, bring = MOMENTS[moment]
    for screen in ("phone", "desk"):
        page = browser.new_page()
        page.set_viewport_size(LOOKS[f"{screen}-light"].size)
        bring(page, demo)
        for scheme in ("light", "dark"):
            picture(page, LOOKS[f"{screen}-{scheme}"], slug(f"at {moment} {language} {screen} {scheme}"))
        browser.set_offline(False)
        page.close()


def picture(page: Page, look: Look, label: str, *, full_page: bool = False) -> None:
    """Write one picture, and say where the page is wider than the screen."""
    page.set_viewport_size(look.size)
    page.emulate_media(contrast="no-preference", forced_colors="none")
    page.emulate_media(**look.media)
    style = page.add_style_tag(content=look.style) if look.style else None
    page.screenshot(path=FOLDER / f"{label}.png", full_page=full_page)
    if page.evaluate(WIDER):
        sys.stdout.write(f"{label} is wider than the screen\n")
    if style:
        style.evaluate("(element) => element.remove()")


def state(demo: Demo, path: str) -> str:
    """Return what the picture of a page shows beside its number: the scene, and what the address asks for."""
    scenes: Iterator[str] = (name for name, slug in demo.names.items() if f"/{slug}/" in path)
    return f"{next(scenes, '')} {path.partition('?')[2]}"


def slug(text: str) -> str:
    """Return a name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


if __name__ == "__main__":
    main(sys.argv[1:])
