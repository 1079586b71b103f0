"""The site can be put among a device's apps."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from accounts.models import User
from games.pages.site.manifest import PAGE_COLOURS

TOKENS = Path(__file__).resolve().parents[3] / "static/site/tokens.css"
pytestmark = pytest.mark.django_db


def test_the_manifest_says_what_a_device_needs_to_know(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert manifest["name"] == manifest["short_name"] == "Block-You"
    assert manifest["display"] == "standalone"
    assert client.get(manifest["start_url"]).status_code == 200
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    assert not manifest["prefer_related_applications"]


def test_the_manifest_is_kept_for_the_language_it_is_in(client: Client) -> None:
    client.post("/accounts/language/", {"language": "fr"})
    response = client.get("/manifest.webmanifest")
    assert response.json()["lang"] == "fr"
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))


def test_every_icon_is_there_in_the_size_that_is_said(client: Client) -> None:
    for icon in client.get("/manifest.webmanifest").json()["icons"]:
        found = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(found, str)
        with Image.open(found) as picture:
            assert f"{picture.width}x{picture.height}" == icon["sizes"]


def test_the_pictures_of_the_app_are_there_in_the_size_that_is_said_for_phones_and_desks(client: Client) -> None:
    pictures = client.get("/manifest.webmanifest").json()["screenshots"]
    assert {picture["form_factor"] for picture in pictures} == {"narrow", "wide"}
    for shown in pictures:
        found = finders.find(shown["src"].removeprefix("/static/"))
        assert isinstance(found, str)
        with Image.open(found) as picture:
            assert (f"{picture.width}x{picture.height}", f"image/{str(picture.format).lower()}") == (
                shown["sizes"],
                shown["type"],
            )
            # What browsers ask of such a picture: sides of 320 to 3840, the longer at most 2.3 times the shorter.
            assert 320 <= min(picture.size) <= max(picture.size) <= min(3840, 2.3 * min(picture.size))
            assert (picture.width > picture.height) is (shown["form_factor"] == "wide")
        assert Path(found).stat().st_size <= 60_000


def test_the_pictures_of_the_app_are_described_in_the_readers_language(client: Client) -> None:
    client.post("/accounts/language/", {"language": "fr"})
    pictures = client.get("/manifest.webmanifest").json()["screenshots"]
    assert {picture["label"] for picture in pictures} == {"Une partie sur téléphone", "Une partie sur ordinateur"}


def test_a_maskable_icon_has_no_hole_at_its_corners() -> None:
    found = finders.find("site/icons/maskable-512.png")
    assert isinstance(found, str)
    with Image.open(found) as picture:
        solid = picture.convert("RGBA")
        assert {solid.getpixel((x, y))[3] for x in (0, 511) for y in (0, 511)} == {255}  # type: ignore[index]


def test_the_icon_is_found_by_its_old_name(client: Client) -> None:
    assert client.get("/favicon.ico")["Location"] == "/static/site/icons/favicon.ico"


def test_the_frame_around_the_page_has_the_pages_colour(client: Client) -> None:
    light, dark = re.findall(r"--page: light-dark\((#\w+), (#\w+)\)", TOKENS.read_text())[0]
    assert {"light": light, "dark": dark} == PAGE_COLOURS
    page = client.get("/").content.decode()
    assert f'<meta name="theme-color" content="{light}" media="(prefers-color-scheme: light)">' in page
    assert f'<meta name="theme-color" content="{dark}" media="(prefers-color-scheme: dark)">' in page


def test_whoever_chose_dark_has_a_dark_frame(client: Client, alice: User) -> None:
    alice.theme = "dark"
    alice.save()
    client.force_login(alice)
    metas = re.findall(r'<meta name="theme-color"[^>]*>', client.get("/").content.decode())
    assert metas == ['<meta name="theme-color" content="#16120e">']
