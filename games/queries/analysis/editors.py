"""Who writes in a study beside its owner, and in whose studies a person writes."""

from accounts.models import User
from games.models import Study, StudyEditor

#: How many studies of others a page lists, and how many notices about them.
SHOWN_STUDIES = 50


def editors_of(study: Study) -> list[User]:
    """Return who writes in a study beside its owner, by their names. One query, none where no one ever did."""
    if not study.has_editors:
        return []
    rows = StudyEditor.objects.filter(study=study).select_related("person")
    return [row.person for row in rows.order_by("person__name_key")]


def studies_written_in(user: User) -> list[Study]:
    """Return the studies of others in which a person writes, the latest first, with their owners. One query."""
    rows = Study.objects.filter(editors__person=user).select_related("owner").defer("record")
    return list(rows.order_by("-editors__let_in_at", "-pk")[:SHOWN_STUDIES])


def editorships(user: User) -> list[StudyEditor]:
    """Return by which notices a person has been told that they may write, the latest first. One query."""
    rows = StudyEditor.objects.filter(person=user).select_related("study__owner").defer("study__record")
    return list(rows.order_by("-let_in_at", "-pk")[:SHOWN_STUDIES])
