"""Make the icons of `static/site/icons` from `static/site/icon.svg`: `make icons`."""

import re
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright

from games.bots.engines.greedy import GreedyEngine
from games.drawing import svg
from games.drawing.raster.board import BoardImage
from games.drawing.raster.colours import colours
from games.drawing.raster.picture import HEIGHT, WIDTH
from games.drawing.raster.text import write_line
from games.rules import Position
from tests.browser.chromium import CHROMIUM

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "static/site/icon.svg"
FOLDER = ROOT / "static/site/icons"
# Of a maskable icon only a circle of four fifths is sure to be seen.
SAFE = 0.72
#: Of the game in the picture beside links.
SEED = 4


def main() -> None:
    """Write every icon."""
    FOLDER.mkdir(exist_ok=True)
    source = SOURCE.read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        for name, text, size in (
            ("icon-192", source, 192),
            ("icon-512", source, 512),
            ("maskable-512", full_bleed(source, SAFE), 512),
            ("apple-touch-icon", full_bleed(source, 0.9), 180),
        ):
            (FOLDER / f"{name}.png").write_bytes(squeezed(drawn(page, text, size)))
        small = Image.open(BytesIO(drawn(page, source, 256)))
        small.save(FOLDER / "favicon.ico", sizes=[(16, 16), (32, 32), (48, 48)])
        browser.close()
    (FOLDER / "card.png").write_bytes(card())


def card() -> bytes:
    """Return what is shown beside links to the site: a game of four to its end, and the name."""
    position, engine = Position.start("blockyou-4"), GreedyEngine()
    while not position.is_over:
        if position.legal_placements():
            position = position.play(engine.think(position, seed=SEED, number=len(position.history) + 1).placement)
        else:
            position = position.pass_turn()
    image = Image.new("RGB", (WIDTH, HEIGHT), colours()["card"])
    board = BoardImage("blockyou-4", (), HEIGHT - 60, HEIGHT - 60)
    for piece in svg.pieces_of(position):
        board.place(piece)
    image.paste(board.shown(), (30, 30))
    middle = (WIDTH + HEIGHT) // 2
    draw = ImageDraw.Draw(image)
    write_line(draw, (middle, HEIGHT // 2), "Block-You", colours()["accent"], 92, 540, is_title=True, anchor="mm")
    out = BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


def full_bleed(source: str, share: float) -> str:
    """Return the picture with its ground to the edges and what lies on it made smaller."""
    head, ground, rest = re.split(r"(<rect [^>]*/>)", source, maxsplit=1)
    edge = 16 * (1 - share)
    inner = rest.removesuffix("</svg>\n")
    ground = ground.replace(" rx=", " data-rx=")
    return f'{head}{ground}<g transform="translate({edge} {edge}) scale({share})">{inner}</g></svg>'


def drawn(page: Page, picture: str, size: int) -> bytes:
    """Return the picture as PNG, that many pixels wide and high."""
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: 100vw }}</style>{picture}")
    return page.screenshot(omit_background=True)


def squeezed(png: bytes) -> bytes:
    """Return the PNG with a palette: few colours, a third of the size."""
    out = BytesIO()
    Image.open(BytesIO(png)).convert("RGBA").quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    main()
