"""What streams say, as lines of JSON: a game as its reader sees it, and what happens in a person's games."""

import json
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Literal

from ninja.responses import NinjaJSONEncoder
from pydantic import BaseModel

from accounts.models import User
from games.actions.takebacks.mark_shown import show_to
from games.api.schemas import GameLine, GameOut, MyGamesOut
from games.base.access import Viewer, games_to_view
from games.queries.people.happenings import OVER, ListPlace, see_games
from games.queries.play.state import game_state
from games.queries.site.versions import lists_versions
from games.realtime.groups import game_group, user_group
from games.realtime.streams import Topic, Update

#: Where a person's games stand, by their slugs.
Places = tuple[tuple[str, ListPlace], ...]


class GameNow(GameOut):
    """A line of a game's stream: the whole game as it is now, as GET /games/{slug} shows it.

    The first line says how things are, each later one how they are after something has changed. What happens while a
    program is slow is told in one line. An empty line says that the stream is alive. After the line of a game that is
    finished or cancelled the stream ends.
    """

    type: Literal["game"] = "game"


class GamesNow(MyGamesOut):
    """The first line of your stream: your games that are not over, as GET /games lists them."""

    type: Literal["games"] = "games"


class Happening(GameLine):
    """A later line of your stream: what has happened in one of your games, with the game as it is now.

    `invited`: another player asks you to sit down. `started`: the last seat was taken. `my_turn`: the move of this
    `number` waits for you. `finished`, `cancelled`: the game is over, the table was given up.
    """

    type: Literal["invited", "started", "my_turn", "finished", "cancelled"]


class GameTopic(Topic):
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

    def news(self) -> Update:
        """Return the game in one line. As many queries as its page."""
        state = GameOut.of(show_to(partial(game_state, self.user, self.slug, self.invitation), lambda: self.user.pk))
        return Update(state.version, json_line("game", state), state.status in OVER)

    @classmethod
    def versions(cls, topics: Sequence["GameTopic"]) -> list[object]:
        """Return the games' versions. Two queries."""
        games = games_to_view([(topic.user, topic.slug, topic.invitation) for topic in topics])
        return [None if game is None else game.version for game in games]


class MyTopic(Topic):
    """What happens in the games of one person: how things are now beside how they were when it last spoke."""

    def __init__(self, user: User, token: int | None) -> None:
        super().__init__(user, token)
        self.owner = user

    @property
    def group(self) -> str:
        """Return the group of the person's lists."""
        return user_group(self.owner.pk)

    @property
    def key(self) -> Hashable:
        """Return the person and what the reader knows: several programs of one person mostly know the same."""
        return self.owner.pk, self.known

    def news(self) -> Update:
        """Return the lists at first, then what has happened.

        Seven queries, and two for each game that has left the lists.
        """
        # Read first: what changes in between is looked at once more.
        version = lists_versions({self.owner.pk})[self.owner.pk]
        before: Places | None = self.known
        seen = show_to(partial(see_games, self.owner, None if before is None else dict(before)), lambda: self.owner.pk)
        known: Places = tuple(sorted(seen.places.items()))
        if before is None:
            lists = {section: [GameLine.of(seat) for seat in found] for section, found in seen.seats.items()}
            return Update(version, json_line("games", MyGamesOut(**lists)), known=known)
        said = [json_line(each.kind, GameLine(**each.line)) for each in seen.happenings]
        return Update(version, b"".join(said), known=known)

    @classmethod
    def versions(cls, topics: Sequence["MyTopic"]) -> list[object]:
        """Return the versions of these people's lists. One query."""
        found = lists_versions({topic.owner.pk for topic in topics})
        return [found.get(topic.owner.pk) for topic in topics]


def json_line(kind: str, said: BaseModel) -> bytes:
    """Return a line that begins with its type."""
    content: Mapping[str, object] = {"type": kind, **said.model_dump()}
    return json.dumps(content, cls=NinjaJSONEncoder, separators=(",", ":")).encode() + b"\n"
