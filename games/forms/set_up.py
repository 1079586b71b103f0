"""A position that is set up by hand: what lies on a board, colour by colour, without an order."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.text import MAX_TITLE, plain
from games.errors import GameError, Refused
from games.rules import Position
from games.rules.errors import IllegalPlacement, RulesError
from games.rules.records import GameRecord
from games.rules.variants import Variant
from games.table.records import unreadable_text
from games.table.setting_up import Placed, colours_to_set_up, field_of, set_up_record
from games.table.typed import example_of, read_typed, short_example
from games.words import sentences

#: The longest list of pieces of one colour, in characters.
LONGEST_PIECES = 2_000

#: More pieces that cannot lie where they are asked for are not named.
MOST_FAULTS = 8


class SetUpForm(forms.Form):
    """The pieces of each colour on a board, who is to play, and a title.

    Once it is asked whether the form is valid, `placed` are the pieces that can lie there, and `position` is the board
    with them; `record` is there where that is all that was sent.
    """

    use_required_attribute = False

    def __init__(self, variant: Variant, data: Mapping[str, Any]) -> None:
        """Take what was sent."""
        super().__init__(data, label_suffix="")
        self.variant = variant
        self.record: GameRecord | None = None
        self.placed: Placed = ()
        self.position = Position.start(variant)
        self.colours = colours_to_set_up(variant)
        attrs = {"rows": 3, "spellcheck": "false", "autocapitalize": "none", "class": "input"}
        for code in self.colours:
            self.fields[field_of(code)] = forms.CharField(
                label=sentences.colour(code),
                required=False,
                max_length=LONGEST_PIECES,
                widget=forms.Textarea(attrs=attrs),
            )
        choices = [(code, sentences.colour(code)) for code in self.colours]
        self.fields["to_play"] = forms.ChoiceField(
            label=_("Who plays next"), choices=choices, widget=forms.Select(attrs={"class": "input"})
        )
        self.fields["title"] = forms.CharField(
            label=_("Title"), max_length=MAX_TITLE, required=False, widget=forms.TextInput(attrs={"class": "input"})
        )

    @property
    def help(self) -> str:
        """Return how pieces are typed on this board."""
        examples = {"cells": str(example_of(self.variant)), "short": short_example(self.variant)}
        return gettext("One piece a line, such as %(cells)s or %(short)s. Their order does not matter.") % examples

    @property
    def typed(self) -> list[forms.BoundField]:
        """Return the fields in which pieces are typed."""
        return [self[field_of(code)] for code in self.colours]

    def clean_title(self) -> str:
        """Return the title without what cannot be seen."""
        return plain(self.cleaned_data["title"])

    def clean(self) -> dict[str, Any]:
        """Lay the pieces on the board. What cannot lie there becomes an error of its colour."""
        data = super().clean() or {}
        record = self._laid(tuple(self._pieces(data)), data.get("to_play") or self.colours[0])
        if not self.errors:
            self.record = record
        return data

    def _pieces(self, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield each piece with its colour; what cannot be read is an error."""
        for code in self.colours:
            for line in filter(None, map(str.strip, re.split(r"[;\n]", data.get(field_of(code), "")))):
                try:
                    yield code, str(read_typed(line, self.variant))
                except GameError as error:
                    self.add_error(field_of(code), f"{line}: {_why(error)}")

    def _laid(self, placed: Placed, to_play: str) -> GameRecord | None:
        """Return the record of the pieces that can lie there; each of the others is an error."""
        for number in range(1, MOST_FAULTS + 2):
            try:
                record = set_up_record(self.variant, placed, to_play)
                self.position, self.placed = record.start(), record.placed
            except IllegalPlacement as illegal:
                entry = illegal.entry or 0
                code, piece = placed[entry]
                self.add_error(field_of(code), f"{piece}: {_why(Refused.of(illegal))}")
                placed = placed[:entry] + (placed[entry + 1 :] if number < MOST_FAULTS else ())
            except RulesError as error:
                self.add_error(None, unreadable_text(error))
                return None
            else:
                return record
        return None


def _why(error: GameError) -> str:
    """Return why a piece cannot lie there; where the rules say so, with their reasons."""
    if not isinstance(error, Refused) or not error.reasons:
        return str(error.sentence)
    return " ".join(sentences.reason(reason, error.names.get(reason, ())) for reason in error.reasons)
