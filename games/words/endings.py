"""The end of a game in words: who won and by how much, which place a player took, and how."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from django.utils.translation import gettext, ngettext, pgettext

from games.rules.variants import Bonus, Variant
from games.words.sentences import Finisher, listed

#: Of so many players the loser's place says nothing.
TWO = 2


class Colour(Protocol):
    """One colour of a seat after the last move."""

    @property
    def label(self) -> str:
        """Return what it is called."""

    @property
    def pieces_left(self) -> int:
        """Return how many pieces it has not placed."""

    @property
    def bonus(self) -> int:
        """Return its points for having placed them all."""


class FinishedSeat(Finisher, Protocol):
    """A seat of a game that is over."""

    @property
    def is_retired(self) -> bool:
        """Whether it left the game early."""

    @property
    def has_run_out(self) -> bool:
        """Whether it did so by running out of time."""

    @property
    def score(self) -> int:
        """Return its score."""

    @property
    def placed(self) -> int:
        """Return how many of its cells it has placed."""

    @property
    def cells(self) -> int:
        """Return how many cells it had to place."""

    @property
    def placed_text(self) -> str:
        """Return both in words."""

    @property
    def colours(self) -> Sequence[Colour]:
        """Return its colours."""


def place_name(number: int) -> str:
    """Return a place in words, from 1 (first) to 6."""
    places = {
        1: pgettext("place", "1st"),
        2: pgettext("place", "2nd"),
        3: pgettext("place", "3rd"),
        4: pgettext("place", "4th"),
        5: pgettext("place", "5th"),
        6: pgettext("place", "6th"),
    }
    return places.get(number, str(number))


def winner_text(players: Sequence[FinishedSeat]) -> str:
    """Return who won and by how much, without a stop: "Anna won by 7 points", "Anna and Ben tied for 1st".

    Two players tie without a place.
    """
    winners = [player for player in players if player.is_winner]
    if len(winners) != 1 and len(players) == TWO:
        return pgettext("sentence", "%(names)s tied") % {"names": _together(winners)}
    if len(winners) != 1:
        return gettext("%(names)s tied for %(place)s") % {"names": _together(winners), "place": place_name(1)}
    winner, lead = winners[0], points_ahead(players)
    if lead is None:
        return gettext("You won") if winner.is_you else gettext("%(name)s won") % {"name": winner.name}
    values = {"name": winner.name, "n": lead}
    if winner.is_you:
        return ngettext("You won by %(n)d point", "You won by %(n)d points", lead) % values
    return ngettext("%(name)s won by %(n)d point", "%(name)s won by %(n)d points", lead) % values


def points_ahead(players: Sequence[FinishedSeat]) -> int | None:
    """Return by how many points the only winner leads; None after a tie, and where every other seat retired."""
    winners = [player for player in players if player.is_winner]
    others = [player.score for player in players if not player.is_winner and not player.is_retired]
    return winners[0].score - max(others) if len(winners) == 1 and others else None


def outcome(players: Sequence[FinishedSeat], places: Sequence[int]) -> tuple[str, str]:
    """Return the place of a viewer who played and did not win, and who won; else who won, and nothing. Without stops.

    Of two players the loser hears no place: only who won, or first that they lost on time or resigned. `places` are by
    seat, from 1; equal ones are shared.
    """
    if len(players) == TWO:
        early = lost_early(players)
        return (early, winner_text(players)) if early else (winner_text(players), "")
    result, mine = winner_text(players), place_text(players, places)
    return (mine, result) if mine else (result, "")


def lost_early(players: Sequence[FinishedSeat]) -> str:
    """Return how the viewer left the game before its end, without a stop; empty for all others."""
    mine = next((player for player in players if player.is_you), None)
    if mine is None or not mine.is_retired:
        return ""
    return gettext("You lost on time") if mine.has_run_out else gettext("You resigned")


def place_text(players: Sequence[FinishedSeat], places: Sequence[int]) -> str:
    """Return which place the viewer took, without a stop; empty for a viewer who won or did not play.

    `places` are by seat, from 1; equal ones are shared.
    """
    mine = next((seat for seat, player in enumerate(players) if player.is_you), None)
    if mine is None or players[mine].is_winner:
        return ""
    beside = [player.name for seat, player in enumerate(players) if seat != mine and places[seat] == places[mine]]
    values = {"names": listed(beside), "place": place_name(places[mine]), "n": len(players)}
    if beside:
        return gettext("You tied with %(names)s for %(place)s of %(n)d") % values
    return gettext("You came %(place)s of %(n)d") % values


def own_cells(players: Sequence[FinishedSeat]) -> str:
    """Return how much the viewer placed, as a sentence; empty for one who won, left early or did not play."""
    mine = next((player for player in players if player.is_you), None)
    if mine is None or mine.is_winner or mine.is_retired:
        return ""
    return gettext("You placed %(placed)d of %(total)d cells.") % {"placed": mine.placed, "total": mine.cells}


def feats_text(wins: int, best_of: int, may_be_longer: bool) -> str:
    """Return what a game was to its player: so many wins in a row, the best score of so many games; 0 for neither.

    A streak that `may_be_longer` is at least so long.
    """
    streak = ngettext(
        "That makes %(n)d win in a row on this board.", "That makes %(n)d wins in a row on this board.", wins
    )
    if may_be_longer:
        streak = ngettext(
            "That makes at least %(n)d win in a row on this board.",
            "That makes at least %(n)d wins in a row on this board.",
            wins,
        )
    best = ngettext(
        "Your best score in your last %(n)d game on this board.",
        "Your best score in your last %(n)d games on this board.",
        best_of,
    )
    return " ".join(text % {"n": number} for text, number in ((streak, wins), (best, best_of)) if number)


def chance_drop_text(name: str, before: str, after: str, *, is_you: bool = False) -> str:
    """Return what a move cost its player, as a sentence: "Anna's chance of winning fell from 60% to 40%."."""
    values = {"name": name, "before": before, "after": after}
    if is_you:
        return gettext("Your chance of winning fell from %(before)s to %(after)s.") % values
    return gettext("%(name)s's chance of winning fell from %(before)s to %(after)s.") % values


def chance_taken_text(who: str, what: str, ahead: str, *, is_mover: bool = False, is_you: bool = False) -> str:
    """Return at what chances a move was made, as a sentence: "Anna was ahead when Ben placed F.".

    `ahead` is the name of the player who had the best chance before it, empty where no one had; `is_mover` says that
    it was their own move, `is_you` that they are the viewer. `who` stands within the sentence.
    """
    values = {"who": who, "what": what, "name": ahead}
    if not ahead:
        return gettext("It was close when %(who)s %(what)s.") % values
    if is_mover:
        text = gettext("You were ahead, then %(what)s.") if is_you else gettext("%(name)s was ahead, then %(what)s.")
    else:
        text = gettext("You were ahead when %(who)s %(what)s.")
        text = text if is_you else gettext("%(name)s was ahead when %(who)s %(what)s.")
    return text % values


def better_piece_text(piece: str) -> str:
    """Return which piece would have been better, beside a picture that shows its place by dashes."""
    return gettext("It would have been better to place %(piece)s where the dashes are.") % {"piece": piece}


def decided_text(name: str, number: int, *, is_you: bool = False) -> str:
    """Return from which move on a player could no longer lose."""
    values = {"name": name, "number": number}
    if is_you:
        return gettext("From move %(number)d, you could no longer lose: every continuation was checked.") % values
    return gettext("From move %(number)d, %(name)s could no longer lose: every continuation was checked.") % values


def pieces_placed(player: FinishedSeat, variant: Variant) -> list[str]:
    """Return how much a seat placed, with the bonus that it got for it; a sentence each.

    Rule: R9
    """
    finished = [colour for colour in player.colours if not colour.pieces_left]
    if finished:
        return [_all_placed(player, colour, variant.bonus) for colour in finished]
    total = len(variant.pieces) * variant.copies * len(player.colours)
    left = sum(colour.pieces_left for colour in player.colours)
    values = {"name": player.name, "placed": total - left, "total": total}
    if player.is_you:
        return [gettext("You placed %(placed)d of %(total)d pieces.") % values]
    return [gettext("%(name)s placed %(placed)d of %(total)d pieces.") % values]


def _all_placed(player: FinishedSeat, colour: Colour, bonus: Bonus) -> str:
    """Return that a colour has placed its whole stock; it is named by its player where they have no other."""
    has_one = len(player.colours) == 1
    values = {"name": player.name if has_one else colour.label, "points": colour.bonus}
    is_you = has_one and player.is_you
    if not colour.bonus:
        return (gettext("You placed every piece.") if is_you else gettext("%(name)s placed every piece.")) % values
    if colour.bonus == bonus.monomino_last:
        text = (
            gettext("You placed every piece, the one-cell piece last: +%(points)d.")
            if is_you
            else gettext("%(name)s placed every piece, the one-cell piece last: +%(points)d.")
        )
        return text % values
    text = (
        gettext("You placed every piece: +%(points)d.")
        if is_you
        else gettext("%(name)s placed every piece: +%(points)d.")
    )
    return text % values


def standings(players: Sequence[FinishedSeat], places: Sequence[int]) -> str:
    """Return everybody with place and cells placed in one line: "1. Anna 80 of 89, 2. Ben 77 of 89"."""
    ranked = sorted(range(len(players)), key=lambda seat: places[seat])
    line = gettext("%(place)d. %(name)s %(score)s")
    return ", ".join(
        line % {"place": places[seat], "name": players[seat].name, "score": players[seat].placed_text}
        for seat in ranked
    )


def _together(players: Iterable[FinishedSeat]) -> str:
    return listed([player.name for player in sorted(players, key=lambda player: not player.is_you)])
