"""Note that a person has read what was said at a table."""

from django.db import transaction

from accounts.models import User
from games.base.apart import heard_by
from games.base.welcome import wanted_by
from games.models import Audience, Player, TalkMessage


def read_messages(user: User, slug: str, *, last: int) -> None:
    """Note that the person has read a game's lines up to the one of that key. No query if they sit nowhere there.

    What was said after it stays unread. No version grows: the page that is opened shows it, and the person's others
    find out with the next change, as with notices.
    """
    unread = Player.objects.filter(game__slug=slug, user=user, unread_messages__isnull=False)
    if unread.exists():
        _read(user, slug, last)


@transaction.atomic
def _read(user: User, slug: str, last: int) -> None:
    # Locked before the lines are counted: one that is being said now waits, and then counts.
    seats = Player.objects.select_for_update(no_key=True, of=("self",))
    player = seats.filter(game__slug=slug, user=user).first()
    if player is None:
        return
    later = TalkMessage.objects.filter(game=player.game_id, audience=Audience.PLAYERS, pk__gt=last)
    player.unread_messages = wanted_by(user, heard_by(user, later.exclude(author=user))).count() or None
    player.save(update_fields=["unread_messages"])
