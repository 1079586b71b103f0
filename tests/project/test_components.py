"""The page of components shows every one; it is there while the site is worked on, and nowhere else."""

import re
from pathlib import Path

import pytest
from django.test import Client, override_settings

from blockyou.settings import dev

BLOCKS = Path(__file__).resolve().parents[2] / "static/site/blocks"
pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client: Client) -> str:
    """Return the page as `make dev` serves it."""
    with override_settings(ROOT_URLCONF=dev.ROOT_URLCONF):
        response = client.get("/components/")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("path", sorted(BLOCKS.glob("*.css")), ids=lambda path: path.stem)
def test_every_class_of_a_block_is_shown(page: str, path: Path) -> None:
    named = set(re.findall(r"\.([a-z][\w-]*)", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)))
    shown = {name for group in re.findall(r'class="([^"]*)"', page) for name in group.split()}
    shown |= set(re.findall(r"<code\s*>\.([\w-]+)</code>", page))
    assert named - shown == set()


def test_people_are_not_shown_the_components(client: Client) -> None:
    assert client.get("/components/").status_code == 404
