"""Say whether one's tables in a group may be posted to its channel."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.groups import membership_to_change
from games.errors import WrongStatus
from games.models import GroupChannel
from games.table import seats
from games.table.notices.channels import remove_channel_of

ANOTHER_CHANNEL = _("The channel of this group has changed since. Look at it again.")


@transaction.atomic
def answer_group_channel(user: User, slug: str, *, channel: int, agrees: bool) -> None:
    """Agree, for all tables of this group at which the user sits down, that they are posted to its channel; or refuse.

    `channel` is its number as the page showed it: who agrees to one address has agreed to no other. The last answer
    counts. A table where the user sits already asks on its own page whoever agrees now; whoever refuses has none of
    their tables posted any more, those where they sit already among them.

    Raises:
        NotFound: there is no such group, or the user is no member.
        WrongStatus: by now another channel is set, or none (`channel-changed`).

    """
    person = seats.lock_person(user)
    own = membership_to_change(person, slug)
    found = GroupChannel.objects.filter(group=own.group, pk=channel).first()
    if found is None:
        raise WrongStatus(ANOTHER_CHANNEL, code="channel-changed")
    found.agreed = [*({*found.agreed} - {person.pk}), *([person.pk] if agrees else [])]
    found.refused = [*({*found.refused} - {person.pk}), *([] if agrees else [person.pk])]
    found.save(update_fields=["agreed", "refused"])
    if not agrees:
        remove_channel_of(found, person.pk)
