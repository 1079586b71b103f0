"""Take a picture of every page on three screens, light and dark, in every language: `make shots` writes to var/shots.

The pages are those that axe-core looks at, of a site of its own with people and games in every state.
Words after the command choose pages by the names of their addresses: `python -m tools.shots game replay`.
"""

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import BrowserContext, ViewportSize, sync_playwright

from tests.browser.demo import VISITS, Demo
from tests.browser.people import log_in_as
from tests.browser.site import ROOT, new_site

FOLDER = ROOT / "var" / "shots"
CHROMIUM = "/usr/bin/chromium"
LANGUAGES = ("en", "fr")
SIZES: dict[str, ViewportSize] = {
    "phone": {"width": 360, "height": 740},
    "tablet": {"width": 768, "height": 1024},
    "desk": {"width": 1280, "height": 800},
}


def main(names: list[str]) -> None:
    """Serve a site, and picture its pages for a stranger and for alice."""
    with tempfile.TemporaryDirectory(prefix="shots-") as folder, sync_playwright() as playwright:
        site = new_site(Path(folder))
        site.start()
        try:
            demo = Demo.on(site)
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for language in LANGUAGES:
                stranger, alice = (browser.new_context(reduced_motion="reduce", locale=language) for _ in range(2))
                log_in_as(alice.new_page(), site.url, "alice")
                for name in names or VISITS:
                    for who, context in (("stranger", stranger), ("alice", alice)):
                        picture(context, demo, name, f"{who} {language}")
        finally:
            site.stop()


def picture(context: BrowserContext, demo: Demo, name: str, who: str) -> None:
    """Write the pictures of one page for one visitor; say where it is wider than the screen."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    page = context.new_page()
    for number, path in enumerate(demo.paths(name), start=1):
        page.goto(demo.site.url + path)
        if page.url != demo.site.url + path:
            continue
        label = re.sub(r"[^a-z0-9]+", "-", f"{name} {number} {state(demo, path)} {who}".lower()).strip("-")
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=FOLDER / f"{label}-{size}-{scheme}.png", full_page=True)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                sys.stdout.write(f"{label} is wider than a {size}\n")
    page.close()


def state(demo: Demo, path: str) -> str:
    """Return what the picture of a page shows beside its number: the scene, and what the address asks for."""
    scenes = [name for name, slug in demo.names.items() if slug in path]
    return f"{scenes[0] if scenes else ''} {path.partition('?')[2]}"


if __name__ == "__main__":
    main(sys.argv[1:])
