"""The field of a new table that says what happens when a player misses a turn."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.setup import NO_STAND_IN, STAND_INS, USUAL_STAND_IN
from games.words import names


def stand_in_field() -> forms.ChoiceField:
    """Return the field: a bot takes missed turns, or a player who misses one is out of the game."""
    line = gettext("%(bot)s plays that turn")
    bots = [(name, line % {"bot": names.short_bot_name(name)}) for name in STAND_INS]
    return forms.ChoiceField(
        label=_("If a player runs out of time"),
        help_text=_("After two missed turns in a row, the bot plays for them until they come back."),
        choices=[*bots, (NO_STAND_IN, gettext("They are out of the game; their pieces stay"))],
        initial=USUAL_STAND_IN,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("There is no such bot. Choose one from the list.")},
    )


def stand_in_of(data: Mapping[str, Any]) -> str:
    """Return the bot that was chosen, the usual one where nothing was, empty for none."""
    chosen = data.get("stand_in") or USUAL_STAND_IN
    return "" if chosen == NO_STAND_IN else chosen
