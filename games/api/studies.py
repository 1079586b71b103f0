"""Studies as programs see them, and records that programs hand in."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

from ninja import Schema
from pydantic import Field

from games.api.schemas import Sent
from games.base.setup import MAX_TITLE
from games.errors import BadRequest
from games.forms.study import MAX_RECORD, TOO_LARGE
from games.rules.errors import RulesError
from games.rules.records import GameRecord, read
from games.table.records import unreadable_text

if TYPE_CHECKING:
    from games.models import Study


class StudyOut(Schema):
    """A study: `shared` says that everybody who has its address may see it."""

    slug: str
    title: str
    variant: str
    moves: int
    shared: bool
    created_at: datetime

    @classmethod
    def of(cls, study: "Study") -> "StudyOut":
        """Return what is to be said of a study."""
        return cls(
            slug=study.slug,
            title=study.title,
            variant=study.variant,
            moves=study.move_count,
            shared=study.is_shared,
            created_at=study.created_at,
        )


class NewStudy(Sent):
    """A record to keep: the text of a .blksgf or .json file, or the JSON itself; and a title of your own."""

    record: str | dict[str, object]
    title: str = Field(default="", max_length=MAX_TITLE)


class Sharing(Sent):
    """Whether everybody who has the address of the study may see it."""

    shared: bool


class FromGame(Sent):
    """The secret of an invitation link, for a private game that you did not play in."""

    token: str = ""


def record_sent(sent: str | dict[str, object]) -> GameRecord:
    """Return the record that a program hands in.

    Raises:
        BadRequest: it cannot be read, breaks the rules, or is larger than 1 MiB; `field` is record.

    """
    text = sent if isinstance(sent, str) else json.dumps(sent)
    data = text.encode("utf-8", "replace")
    if len(data) > MAX_RECORD:
        raise BadRequest(TOO_LARGE, field="record")
    try:
        return read(data)
    except RulesError as error:
        raise BadRequest(unreadable_text(error), field="record") from error
