"""Add an editor to a study."""

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, counters
from games.base.talk import SWITCHED_OFF, is_switched_on
from games.errors import NotSeated, TooMany
from games.models import StudyEditor
from games.table.moves import moment
from games.table.people import editing, relations
from games.table.people.editing import MAX_EDITORS
from games.table.studies.sharing import check_words

FULL = _("Ten people write in this study already. Take the right from one of them first.")


@transaction.atomic
def add_editor(user: User, slug: str, name: str, *, now: datetime | None = None) -> StudyEditor:
    """Make the player of this name an editor of the user's study, and notify them on the site; twice is once.

    Raises:
        NotFound: there is no such study for this person, or no player of this name.
        NotSeated: the study is another's, the owner is a guest, or nobody talks on this site (`talk-off`).
        BadRequest: it is the user, or a bot of theirs, or the title may insult others (`insult`).
        InvitationRefused: the user may not let this player in (`not-let-in`).
        TooMany: ten people write in the study.

    """
    other = relations.other_person(user, name)
    person = relations.lock_people(user, other)
    other = User.objects.get(pk=other.pk)
    with counters.together():
        study = access.study_to_change(person, slug)
        known = StudyEditor.objects.filter(study=study, person=other).first()
        if known is not None:
            return known
        if not is_switched_on():
            raise NotSeated(SWITCHED_OFF, code="talk-off")
        editing.check_may_add(person, other)
        check_words(study)
        if StudyEditor.objects.filter(study=study).count() >= MAX_EDITORS:
            raise TooMany(FULL, retry_after=60)
        made = StudyEditor.objects.create(study=study, person=other, let_in_at=moment(now))
        study.has_editors = True
        study.save(update_fields=["has_editors"])
        User.objects.filter(pk=other.pk).update(unread_notices=F("unread_notices") + 1)
        counters.touch([other.pk])
        events.publish(events.NoticesListed(users=(other.pk,)))
    return made
