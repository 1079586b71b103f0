"""A browser that asks for games in words, and games to ask for."""

from typing import Any

from django.test import Client

from accounts.models import User
from games.base import positions
from games.models import Game
from tests.games.play.pages import Element, read
from tests.games.tables import ME, OPEN, due, fresh, play_out, running

#: A variant of every board, with the number of seats.
BOARDS = {
    "blockyou-4": 4,
    "blockyou-3": 3,
    "blockyou-2": 2,
    "classic-4": 4,
    "classic-3": 3,
    "classic-2": 2,
    "duo": 2,
    "junior": 2,
    "trigon-4": 4,
    "trigon-3": 3,
    "trigon-2": 2,
}
HTMX = {"HX-Request": "true"}
__all__ = ["BOARDS", "HTMX", "ME", "OPEN", "answers", "blocked", "news", "part", "see", "spoken", "type_in"]


def spoken(client: Client) -> Client:
    """Return the browser, which asks for games in words from now on."""
    client.cookies["spoken"] = "yes"
    return client


def see(client: Client, game: Game, asked: str = "", **headers: str) -> Element:
    """Return the page of a game, or of what is asked about it."""
    return read(client.get(f"/games/{game.slug}/{asked}", headers=headers))


def blocked(*people: User) -> Game:
    """Return a game of Duo in which the player to move has no move left, and passes for themselves."""
    game = running(*people, variant="duo", declares_passes=True)
    for chance in range(1000):
        if not positions.position_of(game).has_legal():
            return fresh(game)
        game = play_out(game, chance, turns=1)
    raise AssertionError("nobody was blocked")


def part(page: Element) -> Element:
    return page.find(id="game")


def news(page: Element) -> str:
    return page.find(id="news").text


def type_in(client: Client, game: Game, text: str, said: str = "", *, is_plain: bool = False, **more: Any) -> Any:
    """Send what somebody has typed, for the move that is due; plain is without JavaScript."""
    fields = {"text": text, "said": said, "number": due(fresh(game)), "version": fresh(game).version, **more}
    return client.post(f"/games/{game.slug}/typed/", fields, headers={} if is_plain else HTMX)


def answers(client: Client, game: Game, command: str) -> list[str]:
    """Return the lines that answer a command."""
    response = client.get(f"/games/{game.slug}/ask/", {"say": command})
    assert response.status_code == 200
    return [line.text for line in read(response).find(id="answer").find_all("li")]


def table_for(variant: str, people: list[User], **settings: Any) -> Game:
    return running(*people[: BOARDS[variant]], variant=variant, **settings)
