"""Make the pictures that a device shows of the site before it is put among the apps: a part of `make icons`."""

import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from games.pages.site.manifest import SCREENS, Screen
from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.demo import Demo
from tests.browser.people import log_in_as
from tests.browser.site import ROOT, new_site

FOLDER = ROOT / "static/site/screens"
#: The game that is seen, and how many points of the picture a point of the page takes on a phone and on a desk.
SCENE, SCALES = "Corner cases", {"narrow": 2, "wide": 1}


def main() -> None:
    """Write every picture, of a site with people and games of its own."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="screens-") as folder, sync_playwright() as playwright:
        site = new_site(Path(folder))
        site.start()
        try:
            demo, browser = Demo.on(site), playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            for screen in SCREENS:
                (FOLDER / f"{screen.name}.png").write_bytes(pictured(browser, demo, screen))
        finally:
            site.stop()


def pictured(browser: Browser, demo: Demo, screen: Screen) -> bytes:
    """Return what such a screen shows of the game, with a palette: a third of the size."""
    scale = SCALES[screen.name]
    context = browser.new_context(
        viewport={"width": screen.width // scale, "height": screen.height // scale},
        device_scale_factor=scale,
        reduced_motion="reduce",
        locale="en",
    )
    page = context.new_page()
    log_in_as(page, demo.site.url, "alice")
    page.goto(demo.site.url + demo.game(SCENE), wait_until="networkidle")
    out = BytesIO()
    Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(64).save(out, "PNG", optimize=True)
    context.close()
    return out.getvalue()


if __name__ == "__main__":
    main()
