"""Studies as programs see them, and records that programs hand in."""

import json
from datetime import datetime
from typing import TYPE_CHECKING

from ninja import Schema
from pydantic import Field

from games.api.schemas import Sent
from games.base.text import MAX_TITLE
from games.errors import BadRequest
from games.forms.study import MAX_RECORD, TOO_LARGE
from games.rules.errors import RulesError
from games.rules.records import GameRecord, read
from games.table.records import unreadable_text

if TYPE_CHECKING:
    from games.models import Study, StudyComment


class StudyOut(Schema):
    """A study: `shared` says that everybody who has its address may see it. What changes it names its `edition`."""

    slug: str
    title: str
    variant: str
    moves: int
    shared: bool
    created_at: datetime
    edition: int

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
            edition=study.edition,
        )


class StudyCommentOut(Schema):
    """What a person has written in a study after so many moves: of the game where `branch` is 0, else of the variation
    through the turn of that number, as the record counts them. The text of a `hidden` one is empty.
    """

    id: int
    author: str
    branch: int
    move: int
    text: str
    hidden: bool
    written_at: datetime

    @classmethod
    def of(cls, comment: "StudyComment") -> "StudyCommentOut":
        """Return what is to be said of a comment (needs the author)."""
        return cls(
            id=comment.pk,
            author=comment.author.username,
            branch=comment.variation,
            move=comment.move,
            text="" if comment.is_hidden else comment.text,
            hidden=comment.is_hidden,
            written_at=comment.written_at,
        )


class NewStudyComment(Sent):
    """A comment after so many moves of the game, or of the variation through the turn `branch`, written on an edition
    of the study.
    """

    text: str
    move: int
    branch: int = 0
    edition: int


class NewVariation(Sent):
    """What the colour to play could place after so many moves of the game, or of the variation through the turn
    `branch`, written on an edition of the study.
    """

    placement: str
    move: int
    branch: int = 0
    edition: int


class StudyPlace(Schema):
    """A position of a study: after so many moves, of the game where `branch` is 0, else of the variation there."""

    branch: int
    move: int


class VariationName(Sent):
    """What the variation through the turn `branch` is called from now on; empty takes its name away."""

    name: str
    branch: int
    edition: int


class RemovedVariation(Sent):
    """The turn `branch` of a variation, which goes with all that follows it, and the edition of the study that you have
    seen.
    """

    branch: int
    edition: int


class UndoneVariation(Sent):
    """With `redo` what was undone last is made again, in the edition of the study that you have seen."""

    edition: int
    redo: bool = False


class StudyEditorOut(Schema):
    """A person whom the owner of a study lets write in it."""

    name: str


class NewStudyEditor(Sent):
    """The name of a player whom you follow or have played with."""

    name: str


class SeenEdition(Sent):
    """The edition of the study that you have seen."""

    edition: int


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
