"""Write down something about a game that only its writer sees."""

import unicodedata
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import BadRequest, WrongStatus
from games.models import MAX_NOTE, Note
from games.table.moves import moment

TOO_LONG = _("A note has at most %(most)d characters; this one has %(length)d.")
CHANGED = _("You have changed this note elsewhere meanwhile. Both are shown here: put together what you want to keep.")


@transaction.atomic
def keep_note(user: User, slug: str, text: str, edition: int, *, now: datetime | None = None) -> Note:
    """Store a player's note about a game in place of its edition `edition`, 0 for none; an empty text clears it.

    The game's version stays: no one else sees it. The same text again is no new edition.

    Raises:
        NotFound, NotSeated: the person does not play, and did not, in this game.
        BadRequest: the text is too long, or has characters that are none of a text.
        WrongStatus: another edition is stored (`note-changed`).

    """
    game = access.game_to_view(user, slug)
    access.own_seat(game, user)
    text = _clean(text)
    kept, is_new = Note.objects.select_for_update(no_key=True).get_or_create(
        game=game, user=user, defaults={"text": text, "edition": 1, "changed_at": moment(now)}
    )
    if is_new or kept.text == text:
        return kept
    if kept.edition != edition:
        raise WrongStatus(CHANGED, code="note-changed")
    kept.text, kept.edition, kept.changed_at = text, edition + 1, moment(now)
    kept.save(update_fields=["text", "edition", "changed_at"])
    return kept


def _clean(text: str) -> str:
    """Return a text as it is stored: lines end as everywhere, and no empty ones stand around it.

    Raises: BadRequest.
    """
    text = "\n".join(text.splitlines()).strip()
    if any(character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise BadRequest(_("This note has characters that are no text. Type it again."), field="text")
    if len(text) > MAX_NOTE:
        raise BadRequest(TOO_LONG % {"most": MAX_NOTE, "length": len(text)}, field="text")
    return text
