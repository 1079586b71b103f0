"""A new game at a given position, as people ask for it: which seat is theirs, and who the others are."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.base.setup import GameSetup, SeatSetup
from games.clock import TimeControl
from games.errors import GameError
from games.forms.seats import strength_choices
from games.forms.times import CHOICES, DEFAULT_PACE, control_asked
from games.pages.waiting.create import UNLIMITED
from games.pages.waiting.from_here import FromHerePage
from games.words import ladder

BOTS, FRIENDS = "bots", "friends"
#: How much time players may have: what one choice says whole.
TIMES = ("evening", "fast", DEFAULT_PACE, "slow", UNLIMITED)


class FromHereForm(forms.Form):
    """A seat of one's own, and bots or people in the others."""

    seat = forms.ChoiceField(
        label=_("You play"),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose your colours from the list.")},
    )
    others = forms.ChoiceField(
        label=_("Against"),
        choices=[(BOTS, _("Bots")), (FRIENDS, _("Players, by invitation link"))],
        initial=BOTS,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose bots or players.")},
    )
    strength = forms.ChoiceField(
        label=_("Level of the bots"),
        choices=strength_choices,
        required=False,
        error_messages={"invalid_choice": _("Choose a level from the list.")},
    )
    time = forms.ChoiceField(
        label=_("Time, with other players"),
        choices=[(key, CHOICES[key]) for key in TIMES],
        initial=DEFAULT_PACE,
        required=False,
        error_messages={"invalid_choice": _("Choose a time from the list.")},
    )
    use_required_attribute = False

    def __init__(self, page: FromHerePage, data: QueryDict | None = None, strength: str = "") -> None:
        """Take what was sent, or begin with the seat that is to play and bots of the level that is liked."""
        initial = {"seat": str(page.to_play), "strength": ladder.rung_of(strength).key}
        super().__init__(data, label_suffix="", initial=initial)
        self.page = page
        seats: forms.ChoiceField = self.fields["seat"]  # type: ignore[assignment]
        seats.choices = [(str(number), name) for number, name in enumerate(page.seats)]

    def setup(self) -> GameSetup:
        """Return the table that a valid form asks for."""
        data, position = self.cleaned_data, self.page.given.position
        mine, count = int(data["seat"]), len(self.page.seats)
        others = [SeatSetup(kind="link")] * (count - 1)
        if data["others"] == BOTS:
            bots = ladder.rung_of(data["strength"]).bots_for(count - 1)
            others = [SeatSetup(kind="bot", bot=name) for name in bots]
        return GameSetup(
            variant=position.variant.id,
            seats=(*others[:mine], SeatSetup(kind="me"), *others[mine:]),
            # To practise with bots is one's own affair.
            is_public=self.page.given.is_public and data["others"] == FRIENDS,
            time=TimeControl() if data["others"] == BOTS else control_asked({"time": data["time"] or DEFAULT_PACE}),
        )

    def refuse(self, error: GameError) -> None:
        """Show why no such table can be opened."""
        self.add_error(None, str(error.sentence))
