"""What people wrote at the positions of a study, each comment beside its move."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext

from games.base.access import Viewer
from games.pages.board.faces import Face, face
from games.values import Occupant
from games.words import moments
from games.words.moments import When

if TYPE_CHECKING:
    from games.models import Study, StudyComment


@dataclass(frozen=True)
class CommentView:
    """One comment: whose it is, what it says and since when, and what the reader may do with it."""

    key: int
    name: str
    face: Face
    text: str
    when: When | None
    is_mine: bool
    is_hidden: bool
    may_be_removed: bool
    may_be_reported: bool


def comment_views(
    study: "Study", comments: Iterable["StudyComment"], reader: Viewer, *, may_edit: bool
) -> Mapping[int, Sequence[CommentView]]:
    """Return these comments by the number of their move, in their order (needs their authors).

    `may_edit` says that the reader writes in the study: then they remove their own, and its owner those of all.
    """
    now = timezone.now()
    found: dict[int, list[CommentView]] = {}
    for one in comments:
        is_mine = one.author_id == reader.pk
        found.setdefault(one.move, []).append(
            CommentView(
                key=one.pk,
                name=one.author.shown_name,
                face=face(Occupant.of(one.author)),
                text=gettext("Hidden by a moderator.") if one.is_hidden else one.text,
                when=moments.when(one.written_at, now),
                is_mine=is_mine,
                is_hidden=one.is_hidden,
                may_be_removed=may_edit and (is_mine or study.owner_id == reader.pk),
                may_be_reported=reader.is_authenticated and not is_mine and not one.is_hidden,
            )
        )
    return found
