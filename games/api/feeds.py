"""What streams say, as lines of JSON: a game as its reader sees it, and what happens in a person's games."""

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

from ninja.responses import NinjaJSONEncoder
from pydantic import BaseModel

from games.access import Viewer, games_to_view
from games.api.schemas import GameOut
from games.queries.state import game_state
from games.realtime.groups import game_group
from games.realtime.streams import Feed, News

#: After these a game does not change any more.
OVER = {"finished", "cancelled"}


class GameNow(GameOut):
    """A line of a game's stream: the whole game as it is now, as GET /games/{slug} shows it.

    The first line says how things are, each later one how they are after something has changed. What happens while a
    program is slow is told in one line. An empty line says that the stream is alive. After the line of a game that is
    finished or cancelled the stream ends.
    """

    type: Literal["game"] = "game"


class GameFeed(Feed):
    """A game, for one reader; `invitation` is the secret of a link to it."""

    def __init__(self, user: Viewer, token: int | None, slug: str, invitation: str = "") -> None:
        super().__init__(user, token)
        self.slug, self.invitation = slug, invitation

    @property
    def group(self) -> str:
        """Return the game's group."""
        return game_group(self.slug)

    @property
    def key(self) -> Hashable:
        """Return the game and who looks: visitors are told the same."""
        return self.slug, self.user.pk, self.invitation

    def news(self) -> News:
        """Return the game in one line. As many queries as its page."""
        state = GameOut.of(game_state(self.user, self.slug, self.invitation))
        return News(state.version, line_of("game", state), state.status in OVER)

    @classmethod
    def versions(cls, feeds: Sequence["GameFeed"]) -> list[object]:
        """Return the games' versions. Two queries."""
        games = games_to_view([(feed.user, feed.slug, feed.invitation) for feed in feeds])
        return [None if game is None else game.version for game in games]


def line_of(kind: str, said: BaseModel) -> bytes:
    """Return a line that begins with its type."""
    content: Mapping[str, object] = {"type": kind, **said.model_dump()}
    return json.dumps(content, cls=NinjaJSONEncoder, separators=(",", ":")).encode() + b"\n"
