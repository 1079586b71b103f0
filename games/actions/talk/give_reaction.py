"""Say of a placement by one mark what one thinks of it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.base.talk import check_may_react
from games.errors import BadRequest, WrongStatus
from games.models import Game, Reaction, ReactionWord
from games.table import changes
from games.table.moves import moment
from games.table.reactions import OWN, placement_at
from games.table.seats import lock_person

NO_WORD = _("There is no such reaction. Choose one from the list.")


@transaction.atomic
def give_reaction(
    user: User, slug: str, *, number: int, word: str, placement: str = "", now: datetime | None = None
) -> Game:
    """Give a placement of another player one of the marks, in place of the one given before; tell it after commit.

    `placement` is what was placed there as the person saw it, where they can say so: what was taken back and replaced
    meanwhile gets none. The same mark again changes nothing.

    Raises:
        NotFound: there is no such game for this person, or no placement of that number in it.
        NotSeated, WrongStatus: as `check_may_react` says; the piece is one's own (`own-placement`).
        StaleGame: something else was placed at that number by now, or nothing any more.
        BadRequest: there is no such reaction.

    """
    if word not in ReactionWord.values:
        raise BadRequest(NO_WORD, field="reaction")
    user = lock_person(user)
    game, now = access.game_to_change(user, slug), moment(now)
    check_may_react(game, user, now)
    move = placement_at(game, number, placement)
    if access.own_seat(game, user).seat == move.seat:
        raise WrongStatus(OWN, code="own-placement")
    given = Reaction.objects.filter(move=move, author=user).first()
    if given is not None and given.word == word:
        return game
    Reaction.objects.update_or_create(move=move, author=user, defaults={"word": word, "given_at": now})
    if not game.has_reactions:
        game.has_reactions = True
        game.save(update_fields=["has_reactions"])
    changes.tell_pages(game)
    return game
