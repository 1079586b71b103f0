"""A position that is set up by hand: what lies on a board, colour by colour, without an order."""

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.text import MAX_TITLE, plain
from games.errors import GameError, Refused
from games.rules.errors import IllegalPlacement, RulesError
from games.rules.record import Record
from games.rules.records import GameRecord
from games.rules.variants import Variant
from games.table.records import unreadable_text
from games.table.typed import example_of, read_typed, short_example
from games.words import sentences

#: The longest list of pieces of one colour, in characters.
LONGEST_PIECES = 2_000


class SetUpForm(forms.Form):
    """The pieces of each colour on a board, who is to play, and a title. `record` is there once the form is valid."""

    use_required_attribute = False

    def __init__(self, variant: Variant, data: QueryDict | None = None) -> None:
        """Take what was sent, or nothing yet."""
        super().__init__(data, label_suffix="")
        self.variant = variant
        self.record: GameRecord | None = None
        attrs = {"rows": 3, "spellcheck": "false", "autocapitalize": "none", "class": "input"}
        for code in variant.colours:
            self.fields[_field(code)] = forms.CharField(
                label=sentences.colour(code),
                required=False,
                max_length=LONGEST_PIECES,
                widget=forms.Textarea(attrs=attrs),
            )
        choices = [(code, sentences.colour(code)) for code in variant.colours]
        self.fields["to_play"] = forms.ChoiceField(label=_("Who plays next"), choices=choices)
        self.fields["title"] = forms.CharField(label=_("Title"), max_length=MAX_TITLE, required=False)

    @property
    def help(self) -> str:
        """Return how pieces are typed on this board."""
        examples = {"cells": str(example_of(self.variant)), "short": short_example(self.variant)}
        return gettext("One piece a line, such as %(cells)s or %(short)s. Their order does not matter.") % examples

    def clean_title(self) -> str:
        """Return the title without what cannot be seen."""
        return plain(self.cleaned_data["title"])

    def clean(self) -> dict[str, Any]:
        """Lay the pieces on the board. What cannot lie there becomes an error of its colour."""
        data = super().clean() or {}
        placed = tuple(self._pieces(data))
        if not self.errors:
            self._lay(placed, data["to_play"])
        return data

    def _pieces(self, data: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """Yield each piece with its colour; what cannot be read is an error."""
        for code in self.variant.colours:
            for line in filter(None, map(str.strip, re.split(r"[;\n]", data.get(_field(code), "")))):
                try:
                    yield code, str(read_typed(line, self.variant))
                except GameError as error:
                    self.add_error(_field(code), f"{line}: {_why(error)}")

    def _lay(self, placed: tuple[tuple[str, str], ...], to_play: str) -> None:
        try:
            record = GameRecord(Record(self.variant.id, ()), placed=placed, to_play=to_play)
            record.start()
        except IllegalPlacement as illegal:
            code, piece = placed[illegal.entry or 0]
            self.add_error(_field(code), f"{piece}: {_why(Refused.of(illegal))}")
        except RulesError as error:
            self.add_error(None, unreadable_text(error))
        else:
            self.record = record


def _why(error: GameError) -> str:
    """Return why a piece cannot lie there; where the rules say so, with their reasons."""
    if not isinstance(error, Refused) or not error.reasons:
        return str(error.sentence)
    return " ".join(sentences.reason(reason, error.names.get(reason, ())) for reason in error.reasons)


def _field(colour: str) -> str:
    """Return the name of the field of a colour."""
    return f"placed-{colour}"
