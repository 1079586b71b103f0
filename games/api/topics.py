"""What streams say, as lines of JSON: a game as its reader sees it, and what happens in a person's games."""

import json
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal

from ninja.responses import NinjaJSONEncoder
from pydantic import BaseModel

from accounts.models import User
from games.access import Viewer, game_to_view, games_to_view
from games.api.schemas import GameLine, GameOut, MyGamesOut
from games.errors import NotFound
from games.pages.my_games import going_seats
from games.queries.state import game_state
from games.queries.versions import lists_versions
from games.realtime.groups import game_group, user_group
from games.realtime.streams import Said, Topic

#: After these a game does not change any more.
OVER = {"finished", "cancelled"}
#: The lists of a person's games, and that of a game which has left them without being over: it was put away.
SECTIONS, AWAY = ("turn", "waiting", "invited", "open"), "away"
#: The lists of games that have begun.
BEGUN = {"turn", "waiting", AWAY}


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

    def news(self) -> Said:
        """Return the game in one line. As many queries as its page."""
        state = GameOut.of(game_state(self.user, self.slug, self.invitation))
        return Said(state.version, json_line("game", state), state.status in OVER)

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
        self.known: dict[str, tuple[str, GameLine]] | None = None

    @property
    def group(self) -> str:
        """Return the group of the person's lists."""
        return user_group(self.owner.pk)

    def news(self) -> Said:
        """Return the lists at first, then what has happened.

        Eight queries at first, then seven, and two for each game that is over.
        """
        # Read first: what changes in between is looked at once more.
        version = lists_versions({self.owner.pk})[self.owner.pk]
        seats = going_seats(self.owner, SECTIONS)
        lists = {section: [GameLine.of(seat) for seat in found] for section, found in seats.items()}
        now = {line.slug: (section, line) for section, lines in lists.items() for line in lines}
        before, self.known = self.known, now
        if before is None:
            away = [GameLine.of(seat) for seat in going_seats(self.owner, ("away",))["away"]]
            return Said(version, json_line("games", MyGamesOut(**lists, away=away)))
        said = [
            json_line(kind, line) for slug, (section, line) in now.items() for kind in _news_of(before, section, line)
        ]
        said += [self._gone(slug, *before[slug]) for slug in sorted(before.keys() - now.keys())]
        return Said(version, b"".join(said))

    def _gone(self, slug: str, section: str, line: GameLine) -> bytes:
        """Return what is to be said of a game that is in no list any more; remember one that only was put away."""
        try:
            game = game_to_view(self.owner, slug)
        except NotFound:
            return b""
        now = line.model_copy(
            update={"status": game.status, "version": game.version, "number": game.move_count + 1, "deadline": None}
        )
        if game.status in OVER:
            return json_line(game.status, now)
        if section in BEGUN and self.known is not None:
            self.known[slug] = (AWAY, line)
        return b""

    @classmethod
    def versions(cls, topics: Sequence["MyTopic"]) -> list[object]:
        """Return the versions of these people's lists. One query."""
        found = lists_versions({topic.owner.pk for topic in topics})
        return [found.get(topic.owner.pk) for topic in topics]


def _news_of(before: Mapping[str, tuple[str, GameLine]], section: str, line: GameLine) -> list[str]:
    """Return what has happened in a game that stands in this list now."""
    was, known = before.get(line.slug, ("", None))
    kinds = []
    if section == "invited" and was != "invited":
        kinds.append("invited")
    if section in BEGUN and was not in BEGUN:
        kinds.append("started")
    if section == "turn" and (was != "turn" or known is None or known.number != line.number):
        kinds.append("my_turn")
    return kinds


def json_line(kind: str, said: BaseModel) -> bytes:
    """Return a line that begins with its type."""
    content: Mapping[str, object] = {"type": kind, **said.model_dump()}
    return json.dumps(content, cls=NinjaJSONEncoder, separators=(",", ":")).encode() + b"\n"
