"""Take back what one said of a placement by a mark."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.base.talk import check_reader
from games.models import Game, Reaction
from games.table import changes
from games.table.seats import lock_person


@transaction.atomic
def drop_reaction(user: User, slug: str, *, number: int) -> Game:
    """Take a person's reaction to the move of that number away and tell it after commit; none is there, none goes.

    Raises:
        NotFound: there is no such game for this person.
        NotSeated: the person only looks (`not-seated`), or nobody talks on this site (`talk-off`).

    """
    user = lock_person(user)
    game = access.game_to_change(user, slug)
    check_reader(game, user)
    if Reaction.objects.filter(move__game=game, move__number=number, author=user).delete()[0]:
        changes.tell_pages(game)
    return game
