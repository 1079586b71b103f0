"""What search engines, chats and reporters of holes find: where to look, what is there, how a link is shown."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from PIL import Image
from pytest_django import Settings

from accounts.models import User
from blockyou import env
from games.clock import PACES
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, open_table, running

pytestmark = pytest.mark.django_db
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def told(html: str) -> dict[str, str]:
    """Return what a page says of itself to other sites, by name; the canonical address too."""
    card = dict(re.findall(r'<meta\s+property="(og:[\w:]+)"\s+content="([^"]*)"', html))
    card = {name: unescape(value) for name, value in card.items()}
    card.update(re.findall(r'<link\s+rel="(canonical)"\s+href="([^"]*)"', html))
    return card


def test_every_page_of_the_site_map_is_there_and_is_where_it_says(client: Client) -> None:
    where = re.findall(r"^Sitemap: (\S+)$", client.get("/robots.txt").content.decode(), re.M)
    assert where == ["http://127.0.0.1:8000/sitemap.xml"]
    pages = [found.text or "" for found in ElementTree.fromstring(client.get("/sitemap.xml").content).iter(SITEMAP)]
    assert len(pages) == len(set(pages)) > 30
    for page in pages:
        path = page.removeprefix("http://127.0.0.1:8000")
        answer = client.get(path)
        assert (path, answer.status_code) == (path, 200)
        # The reference for programs is a page of its own.
        if path != "/api/":
            assert told(answer.content.decode())["canonical"] == page


def test_each_language_of_a_page_has_an_address_that_the_others_name(client: Client) -> None:
    for path in ("/", "/rules/", "/lobby/"):
        page = f"http://127.0.0.1:8000{path}"
        addresses = {"x-default": page, "en": f"{page}?language=en", "fr": f"{page}?language=fr"}
        for code, address in addresses.items():
            asked = address.removeprefix("http://127.0.0.1:8000")
            answer = client.get(asked, headers={"Accept-Language": "en" if code == "fr" else "fr"})
            html = answer.content.decode()
            assert answer["Content-Language"] == ("fr" if code == "x-default" else code)
            assert told(html)["canonical"] == address
            assert dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]*)"', html)) == addresses


def test_a_language_that_was_chosen_comes_before_that_of_an_address(client: Client, alice: User) -> None:
    assert client.get("/rules/?language=de", headers={"Accept-Language": "fr"})["Content-Language"] == "fr"
    client.post("/accounts/language/", {"language": "en", "next": "/rules/?language=fr"})
    assert client.get("/rules/?language=fr")["Content-Language"] == "en"
    person = Client()
    person.force_login(alice)
    User.objects.update(language="en")
    assert person.get("/rules/?language=fr")["Content-Language"] == "en"


def test_a_part_of_a_page_is_in_the_language_of_the_pages_address(client: Client) -> None:
    def language(address: str) -> str:
        headers = {"Accept-Language": "en", "HX-Request": "true", "HX-Current-URL": address}
        return client.get("/learn/", headers=headers)["Content-Language"]

    page = "http://127.0.0.1:8000/learn/"
    assert language(f"{page}?language=fr") == "fr"
    assert [language(other) for other in (page, f"{page}?language=de", "http://[", "")] == ["en"] * 4
    client.post("/accounts/language/", {"language": "en", "next": "/learn/"})
    assert language(f"{page}?language=fr") == "en"


def test_search_engines_are_asked_to_stay_away_where_the_host_wants_it(client: Client, settings: Settings) -> None:
    settings.SEARCH_ENGINES = False
    assert client.get("/robots.txt").content == b"User-agent: *\nDisallow: /\nAllow: /join/\n"


def test_every_move_of_a_replay_is_one_page_to_search_engines(client: Client, alice: User, bob: User) -> None:
    game = running(alice, bob, is_public=True)
    page = client.get(f"/games/{game.slug}/replay/?move=0").content.decode()
    assert told(page)["canonical"] == f"http://127.0.0.1:8000/games/{game.slug}/replay/"


def test_a_reporter_of_a_hole_learns_whom_to_tell_and_until_when(client: Client, settings: Settings) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:security@example.org"
    answer = client.get("/.well-known/security.txt")
    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert lines["Contact"] == "mailto:security@example.org"
    assert lines["Canonical"].endswith("/.well-known/security.txt")
    assert timedelta(days=30) < datetime.fromisoformat(lines["Expires"]) - datetime.now(UTC) < timedelta(days=365)


@pytest.mark.parametrize(
    ("value", "contact"),
    [
        ("", ""),
        ("holes@example.org", "mailto:holes@example.org"),
        ("mailto:holes@example.org", "mailto:holes@example.org"),
        ("https://example.org/security", "https://example.org/security"),
    ],
)
def test_a_contact_is_an_address_of_mail_or_a_page(value: str, contact: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECURITY_CONTACT", value)
    assert env.contact("SECURITY_CONTACT") == contact


@pytest.mark.parametrize("value", ["me", "http://example.org", "a@b\nExpires: never", "javascript:alert(1)"])
def test_anything_else_stops_the_start(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECURITY_CONTACT", value)
    with pytest.raises(ImproperlyConfigured, match="SECURITY_CONTACT"):
        env.contact("SECURITY_CONTACT")


def test_a_keeper_of_passwords_finds_where_one_is_changed(client: Client) -> None:
    assert client.get("/.well-known/change-password")["Location"] == "/accounts/password/change/"


def is_open(robots: str, path: str) -> bool:
    """Return whether programs may read what is at a path: the longest rule that matches decides (RFC 9309)."""
    rules = re.findall(r"^(Allow|Disallow): (\S+)$", robots, re.M)
    found = [(len(rule), kind) for kind, rule in rules if re.match(re.escape(rule).replace(r"\*", ".*"), path)]
    return not found or max(found)[1] == "Allow"


def test_what_shows_the_card_of_a_link_may_read_the_page_and_its_picture(
    client: Client, alice: User, bob: User, settings: Settings
) -> None:
    table, game = open_table(alice, ME, OPEN), running(alice, bob, is_public=True)
    invitation = f"/join/{table.invite_token}/"
    for path in ("/", "/rules/", "/lobby/", f"/games/{game.slug}/", f"/games/{game.slug}/replay/", invitation):
        card = told(client.get(path).content.decode())
        robots = client.get("/robots.txt").content.decode()
        for read_there in (path, card["og:image"].removeprefix("http://127.0.0.1:8000")):
            assert (read_there, is_open(robots, read_there)) == (read_there, True)
    assert not is_open(robots, "/games/new/")
    # No search engine lists it, which it learns on the page itself: so it may read that.
    settings.SEARCH_ENGINES = False
    robots = client.get("/robots.txt").content.decode()
    assert (is_open(robots, "/"), is_open(robots, f"{invitation}picture.png")) == (False, True)
    assert read(client.get(invitation)).find("meta", name="robots")["content"] == "noindex"
    assert client.get(f"{invitation}picture.png")["X-Robots-Tag"] == "noindex"


def test_the_card_of_an_invitation_says_which_game_how_fast_and_who_sits_there(client: Client, alice: User) -> None:
    seats = (ME, bot("random"), bot("random"), OPEN)
    table = open_table(alice, *seats, variant="blockyou-4", time=PACES["fast"], is_public=False)

    def said(language: str) -> str:
        answer = client.get(f"/join/{table.invite_token}/", headers={"Accept-Language": language})
        return told(answer.content.decode())["og:description"]

    assert said("en") == (
        "alice invites you: Block-You, 4 players, about 3 moves a day. At the table: alice, Random 1 and Random 2. "
        "Waiting for 1 more player."
    )
    assert "À la table\u00a0: alice, Hasard\u00a01 et Hasard\u00a02. " in said("fr")


def test_an_invitation_shows_who_invites_to_what_with_a_picture_of_the_table(client: Client, alice: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=False)
    path = f"/join/{table.invite_token}/"
    card = told(client.get(path).content.decode())
    assert card["og:title"] == "alice's table"
    assert card["og:description"].startswith("alice invites you: Block-You, 2 players, ")
    assert card["og:image"] == f"http://127.0.0.1:8000{path}picture.png"
    picture = client.get(f"{path}picture.png")
    assert picture["Content-Type"] == "image/png"
    assert Image.open(BytesIO(picture.content)).size == (1200, 630)
    assert client.get(f"{path}picture.png", headers={"If-None-Match": picture["ETag"]}).status_code == 304
    assert client.get("/join/no-such-token/picture.png").status_code == 404


def test_other_pages_show_the_picture_of_the_site(client: Client, alice: User) -> None:
    for path in ("/", "/rules/", "/learn/", "/lobby/", "/bots/", "/openings/", f"/players/{alice.username}/"):
        card = told(client.get(path).content.decode())
        assert card["og:image"].endswith("/site/icons/card.png"), path
        assert card["og:title"], path


def test_people_who_are_logged_in_are_sent_none_of_it(alice: User, client: Client) -> None:
    client.force_login(alice)
    assert "canonical" not in told(client.get("/").content.decode())
    assert read(client.get("/")).find("title").text
