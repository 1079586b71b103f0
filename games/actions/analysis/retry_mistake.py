"""Try to find a better placement where a review found a mistake of one's own."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.models import Game, Mistake
from games.queries.analysis.mistakes import INTERVALS, better_placements, finding_of
from games.rules import get_variant
from games.rules.record import PASSED
from games.table import seats
from games.table.moves import moment
from games.table.typed import read_typed


def retry_mistake(
    user: User, slug: str, *, number: int, move: str, token: str = "", now: datetime | None = None
) -> bool | None:
    """Note what a person has tried in place of their move of that number, and return whether it is clearly better.

    None where the review found no mistake of theirs there: one query. Found when it is due, it rests longer than the
    last time; not found, it begins anew tomorrow. What is tried before it is due changes nothing.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.
        BadRequest: the move cannot be read.

    """
    if not Mistake.objects.filter(user=user.pk, game__slug=slug, number=number).exists():
        return None
    game = access.game_to_analyse(user, slug, token)
    text = move if move == PASSED else str(read_typed(move, get_variant(game.variant)))
    return _note(user, game, number, text, moment(now))


@transaction.atomic
def _note(user: User, game: Game, number: int, text: str, now: datetime) -> bool | None:
    # The person is locked: two taps are two tries, of which one counts.
    person = seats.lock_person(user)
    mistake = Mistake.objects.filter(user=person, game=game, number=number).first()
    finding = None if mistake is None else finding_of(mistake)
    if mistake is None or finding is None:
        return None
    is_found = text in better_placements(finding, mistake.cost)
    mistake.tries += 1
    if mistake.is_due(now):
        is_last = mistake.step >= len(INTERVALS)
        rest = INTERVALS[mistake.step] if is_found and not is_last else INTERVALS[0]
        mistake.step = mistake.step + 1 if is_found else 0
        mistake.due_at = None if is_found and is_last else now + rest
    mistake.save(update_fields=["tries", "step", "due_at"])
    return is_found
