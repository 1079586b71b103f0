"""What programs send about tables that they have opened, and about games of bots."""

from typing import TYPE_CHECKING, Literal

from ninja import Schema
from pydantic import AliasChoices, Field

from games.api.schemas import TERM_NAMES, Sent, clock_of, with_changes
from games.base.terms import EDITABLE, TableTerms
from games.queries.notices.channels import game_channel_of
from games.table.changes import people_at

if TYPE_CHECKING:
    from games.models import Game


@with_changes
class TableChanges(Sent):
    """What is to be changed at a table; what is left out stays as it is.

    A `clock` of null means no limit of time. `stand_in` is the bot that takes missed turns at a table for more than
    two, "" for none. Bots called `fill_bot` take the seats that are empty `fill_after` hours from now; 0 for never.
    """

    fill_after: int | None = None
    fill_bot: str = ""

    def terms(self, game: "Game") -> TableTerms:
        """Return the terms of a table with these changes."""
        sent = {name: getattr(self, TERM_NAMES.get(name, name)) for name in EDITABLE}
        changed = {name: value for name, value in sent.items() if value is not None}
        if "clock" in self.model_fields_set:
            changed["time"] = clock_of(sent["time"])
        return TableTerms.of(game, **changed, fill_after=self.fill_after, fill_bot=self.fill_bot)


class Swapping(Sent):
    """Two seats, counted from 0, whose occupants exchange their places and so their colours."""

    one: int
    other: int


class Removing(Sent):
    """A seat that is to be empty, from 0, and why: the player is given the reason.

    kept: it is meant for another player; silent: no answer for a long time; plans: they have changed; other: none.
    """

    seat: int
    reason: Literal["kept", "silent", "plans", "other"] = "other"


class Filling(Sent):
    """The stored name of the bot that takes the empty seats."""

    bot: str


class Stepping(Sent):
    """The `number` of the move that a bot is to make, and the `version` of the game's `pause`."""

    number: int
    version: int


class ChannelRequest(Sent):
    """The secret address of a webhook of Discord, Slack or Matrix."""

    address: str


class ChannelAnswer(Sent):
    """The number of the `channel` that you agree to. It is still read from `chat` too, as it was called at first."""

    channel: int = Field(validation_alias=AliasChoices("channel", "chat"))


class ChannelOut(Schema):
    """The channel to which a game is to be posted: its number, 0 for none, its host, and the player who has set it.

    Nothing is posted before those in `waits_for` have agreed.
    """

    channel: int
    chat: int = Field(description="the same number, as it was called at first", json_schema_extra={"deprecated": True})
    host: str
    by: str
    waits_for: list[str]

    @classmethod
    def of(cls, game: "Game") -> "ChannelOut":
        """Return what is said of the channel of a game, without its address. At most two queries."""
        channel = game_channel_of(game.pk)
        if channel is None:
            return cls(channel=0, chat=0, host="", by="", waits_for=[])
        waiting = [person.username for person in channel.waits_for(people_at(game))]
        number, owner = channel.pk, channel.owner.username
        return cls(channel=number, chat=number, host=channel.host, by=owner, waits_for=waiting)
