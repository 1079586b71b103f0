"""Comments in studies: where one stands, how many there may be, and a record with all that was written to its turns."""

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Value
from django.db.models.functions import Length
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST_USERNAME
from games.errors import BadRequest, TooMany, WrongStatus
from games.models import Study, StudyComment
from games.rules.records import GameRecord
from games.rules.records.comments import LONGEST_COMMENT, LONGEST_COMMENTS
from games.rules.records.variations import variation_numbers

#: How many comments a study has at most.
MAX_COMMENTS = 200
#: How much longer a comment is at most where a record has it: whose it is, and the line between two.
_AROUND = LONGEST_USERNAME + 20

STALE = _("The study has been changed since you opened this page. Look at it again, then try again.")
STALE_TEXT = _(
    "The study has been changed since you opened this page. Look at it again, then send your text once more."
)
FULL = _("This study has 200 comments. Remove one before you write another.")
NO_ROOM = _("There is no room for more at this position. Write it at another move.")
NO_PLACE = _("This study has no such position. Open it again and choose a move.")
EMPTY = _("Write something first.")
OTHERS = _("Only the person who wrote this comment, or the owner of the study, can remove it.")
NO_COMMENT = _("This comment does not exist any more, or you cannot see it.")


class CommentPlace(NamedTuple):
    """A position of a study: after so many moves, of the game where `variation` is 0, else by that varied turn."""

    variation: int
    move: int


def places_of(record: GameRecord, branch: int) -> tuple[CommentPlace, ...]:
    """Return the positions of the game, or of the variation that goes through the varied turn of a number, in order.

    The first is before the first move. What leads to a variation are positions of the game.
    """
    if not branch:
        return tuple(CommentPlace(0, move) for move in range(len(record.record.moves) + 1))
    begins = record.varied[branch - 1].after
    own = enumerate(variation_numbers(record.varied, branch), begins + 1)
    return (*(CommentPlace(0, move) for move in range(begins + 1)), *(CommentPlace(each, move) for move, each in own))


def place_at(record: GameRecord, branch: int, move: int) -> CommentPlace:
    """Return the position after so many moves of the game or of a variation.

    Raises:
        BadRequest: there is none (`no-such-position`).

    """
    places = places_of(record, branch) if 0 <= branch <= len(record.varied) else ()
    if not 0 <= move < len(places):
        raise BadRequest(NO_PLACE, code="no-such-position", field="move")
    return places[move]


def check_edition(study: Study, edition: int, sentence: str | Promise = STALE) -> None:
    """Refuse who has seen another edition of a study than the one that is stored, with what to do then.

    Raises: WrongStatus (`study-changed`).
    """
    if study.edition != edition:
        raise WrongStatus(sentence, code="study-changed")


def grow_study(study: Study) -> None:
    """Save that a study, which is locked, has been changed: its next edition."""
    study.edition += 1
    study.save(update_fields=["edition"])


def check_comment_fits(comment: StudyComment, record: GameRecord) -> None:
    """Refuse a comment, not saved yet, that its study, or the record of that as a file, has no room for. One query.

    Raises:
        TooMany: the study has 200 comments.
        BadRequest: too much is written at this position, or in all (`no-room`).

    """
    place = CommentPlace(comment.variation, comment.move)
    rows = StudyComment.objects.filter(study=comment.study).annotate(size=Length("text") + Value(_AROUND))
    kept = [(CommentPlace(variation, move), size) for variation, move, size in rows.values_list(*_SIZES)]
    if len(kept) >= MAX_COMMENTS:
        raise TooMany(FULL, retry_after=60)
    own = len(comment.text) + _AROUND
    here = len(_written(record, place)) + own + sum(size for there, size in kept if there == place)
    written = sum(map(len, record.comments.values())) + sum(len(one.comment) for one in record.varied)
    if here > LONGEST_COMMENT or written + own + sum(size for _place, size in kept) > LONGEST_COMMENTS:
        raise BadRequest(NO_ROOM, code="no-room", field="text")


_SIZES = ("variation", "move", "size")


def _written(record: GameRecord, place: CommentPlace) -> str:
    """Return what the record itself has at a position."""
    return record.varied[place.variation - 1].comment if place.variation else record.comments.get(place.move, "")


def comment_query(comment: StudyComment) -> str:
    """Return the query string of the study's address at the position of a comment."""
    return place_query(CommentPlace(comment.variation, comment.move))


def place_query(place: CommentPlace) -> str:
    """Return the query string of the study's address at a position."""
    return f"branch={place.variation}&move={place.move}" if place.variation else f"move={place.move}"


def comment_line(comment: StudyComment) -> str:
    """Return a comment as records have it: whose it is, and what it says (needs the author)."""
    return f"{comment.author.shown_name}: {comment.text}"


def with_comments(record: GameRecord, comments: Iterable[StudyComment]) -> GameRecord:
    """Return a record with these comments below what it has itself at their positions (needs the authors).

    A comment at a position that is not there, or which the form of a record has no room for, is left out.
    """
    own, varied = dict(record.comments), list(record.varied)
    left = LONGEST_COMMENTS - sum(map(len, own.values())) - sum(len(one.comment) for one in varied)
    for one in comments:
        place = CommentPlace(one.variation, one.move)
        if place.variation > len(varied) or (not place.variation and place.move > len(record.record.moves)):
            continue
        before = varied[place.variation - 1].comment if place.variation else own.get(place.move, "")
        told = "\n\n".join(filter(None, (before, comment_line(one))))
        if len(told) > LONGEST_COMMENT or len(told) - len(before) > left:
            continue
        left -= len(told) - len(before)
        if place.variation:
            varied[place.variation - 1] = varied[place.variation - 1]._replace(comment=told)
        else:
            own[place.move] = told
    return replace(record, comments=own, varied=tuple(varied))
