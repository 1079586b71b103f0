"""Ask one's guardian for a person to play with."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.models import User
from games.errors import BadRequest, NotSeated, TooMany
from games.models import AllowedPerson
from games.table.moves import moment
from games.table.people import relations

#: So many requests of a child wait for an answer.
MOST_ASKED = 20


@transaction.atomic
def ask_to_meet(child: User, username: str, *, now: datetime | None = None) -> None:
    """Note that the child wants to play with the person of this name, for its guardian to read.

    Whether there is such a person the child is not told: nothing is noted where there is none, or a guest, or a child.

    Raises:
        NotSeated: this is no child's account.
        BadRequest: no name is given, or it is none.
        TooMany: as many as may wait do.

    """
    if not child.is_child:
        raise NotSeated(_("You choose yourself with whom you play."), code="grown-up")
    if not username.strip() or not username.isprintable() or len(username) > names.LONGEST_USERNAME:
        raise BadRequest(_("Enter the name of the player."), field="username")
    called = User.objects.filter(User.bearing(username), is_active=True, is_guest=False, guardian=None)
    found = called.exclude(children=child).first()
    person, other = relations.lock_asking(child, found if found is not None and found.answers_to(username) else None)
    if AllowedPerson.objects.filter(child=person, allowed_at=None).count() >= MOST_ASKED:
        sentence = _("You have asked for many people already. Talk to the adult who takes care of you.")
        raise TooMany(sentence, retry_after=3600)
    if other is not None:
        AllowedPerson.objects.get_or_create(child=person, other=other, defaults={"asked_at": moment(now)})
