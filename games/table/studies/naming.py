"""What a study and its variations are called: what of it is reported, and how it loses a name that is not allowed."""

from collections.abc import Collection

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.text import plain
from games.errors import BadRequest
from games.models import Study
from games.rules.records import change_texts
from games.table import records
from games.table.studies.variations import NO_VARIATION, variation_name

NO_NAME = _("This variation has no name of its own.")


def name_to_report(study: Study, branch: int) -> str:
    """Return the title of a study, or where `branch` is not 0 what the variation through that varied turn is called.

    Raises: BadRequest where there is no such variation (`no-such-position`), or it has no name (`no-name`).
    """
    if not branch:
        return study.title
    game = records.stored(study.record)
    if not 0 < branch <= len(game.varied):
        raise BadRequest(NO_VARIATION, code="no-such-position", field="branch")
    name = variation_name(game, branch)
    if not name:
        raise BadRequest(NO_NAME, code="no-name", field="branch")
    return name


def take_study_names(study: Study, names: Collection[str]) -> list[str]:
    """Take these names from a study, which is locked: title, variations, and all else in its record that
    is called so. Return those that it had, in order.

    Its title is then the word for a study in the owner's language. What could be undone is forgotten with the names.
    """
    words = {plain(name) for name in names}
    taken = [study.title] if plain(study.title) in words else []

    def without(text: str) -> str:
        first, _line, rest = text.partition("\n")
        if plain(first) not in words:
            return text
        taken.append(first)
        return rest.strip()

    record = change_texts(study.record, without)
    if not taken:
        return []
    if plain(study.title) in words:
        with translation.override(study.owner.language or settings.LANGUAGE_CODE):
            study.title = gettext("Study")
    study.record, study.changes = record, {}
    # Who has read the record with the name in it does not write it again.
    study.edition += 1
    study.save(update_fields=["title", "record", "changes", "edition"])
    return [*dict.fromkeys(map(plain, taken))]
