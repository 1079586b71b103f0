"""What stands at the foot of every page, whoever reads it."""

import pytest

from tests.reliability.knock import knock
from tests.reliability.matrix import names
from tests.reliability.world import World, is_about_a_game

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]

#: A game that is played, and a puzzle, fill the screen; a game on another site's page has only the place it is given.
WITHOUT = {"embed", "game", "puzzle"}


@pytest.mark.parametrize("role", ["nobody", "alice"])
@pytest.mark.slow
def test_every_page_leads_to_what_programs_can_do(world: World, role: str) -> None:
    pages: dict[str, bool] = {}
    for name in names():
        answer = knock(world, role, "GET", name, world.games["running", "public"] if is_about_a_game(name) else None)
        if answer.status_code == 200 and not answer.streaming and b"</body>" in answer.content:
            pages[name] = b'href="/api/"' in answer.content.partition(b"<footer")[2]
    # Visitors are led to the log-in there.
    own = {"game-analysis", "study-board"} & set(pages)
    assert {name for name, leads in pages.items() if not leads} == WITHOUT | own
    assert len(pages) > 20


@pytest.mark.parametrize("role", ["nobody", "alice"])
@pytest.mark.slow
def test_every_page_leads_to_what_is_said_about_privacy(world: World, role: str) -> None:
    pages: dict[str, bool] = {}
    for name in names():
        answer = knock(world, role, "GET", name, world.games["running", "public"] if is_about_a_game(name) else None)
        if answer.status_code == 200 and not answer.streaming and b"</body>" in answer.content:
            pages[name] = b'href="/privacy/"' in answer.content
    # On another site's page a game has only the place that it is given, and leads to its own page.
    assert {name for name, leads in pages.items() if not leads} == {"embed"}
    assert len(pages) > 20
