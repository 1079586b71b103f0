"""What players said of placements by marks, beside the lines of the history and at the last placement."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from games.pages.board.moves import MoveView, ReactionView
from games.pages.board.table import PlayerView
from games.queries.play.moves import MoveRow
from games.queries.talk.reactions import ReactionState
from games.values import Kind, ReactionWord
from games.words.talk import REACTIONS


@dataclass(frozen=True)
class ReactionChoice:
    """One of the marks that can be given, and whether the viewer has given it."""

    word: str
    label: str
    is_mine: bool


@dataclass(frozen=True)
class ReactingView:
    """A placement, and what is said of it: `given` by others, and `choices` where the viewer may say something.

    `address` is where a choice is sent to, with what was placed, `title` says in words which placement it is.
    """

    address: str
    title: str
    choices: tuple[ReactionChoice, ...]
    given: tuple[ReactionView, ...]


@dataclass(frozen=True)
class Reactions:
    """All that was said of the placements of a game by marks, as one viewer is shown it, and whether they may react."""

    slug: str
    players: Sequence[PlayerView]
    moves: Sequence[MoveRow]
    given: Sequence[ReactionState]
    may_react: bool

    def beside(self, lines: Sequence[MoveView], latest: int | None = None) -> tuple[MoveView, ...]:
        """Return the lines of the moves with what was said of them.

        With an address, too, where the viewer may say something: at each placement of others among so many, the latest,
        by default among all.
        """
        if not (self.given or self.may_react):
            return tuple(lines)
        found, first = self._by_move(), 0 if latest is None else len(lines) - latest
        return tuple(
            replace(
                line,
                reactions=found.get(line.number, ()),
                react=self._address(line.number) if index >= first and self._is_open(move) else "",
            )
            for index, (line, move) in enumerate(zip(lines, self.moves, strict=True))
        )

    def at(self, number: int | None = None) -> ReactingView | None:
        """Return the placement of that number, by default the last; None where nothing is or can be said of it."""
        placed = (move for move in reversed(self.moves) if move.kind == Kind.PLACE and number in (None, move.number))
        move = next(placed, None) if self.given or self.may_react else None
        if move is None:
            return None
        said = self._by_move().get(move.number, ())
        mine = {each.word for each in said if each.is_mine}
        others = tuple(each for each in said if not each.is_mine)
        choices = _choices(mine) if self._is_open(move) else ()
        if not (choices or others):
            return None
        return ReactingView(
            address=f"{self._address(move.number)}?{urlencode({'placed': move.placement}, safe=':,')}",
            title=gettext("React to move %(number)d") % {"number": move.number},
            choices=choices,
            given=others,
        )

    def _by_move(self) -> Mapping[int, tuple[ReactionView, ...]]:
        found: dict[int, list[ReactionView]] = defaultdict(list)
        for each in self.given:
            player = self.players[each.seat]
            said = gettext("%(name)s: %(words)s") % {"name": player.name, "words": REACTIONS[each.word]}
            found[each.number].append(ReactionView(each.word, said, player.is_you))
        return {number: tuple(views) for number, views in found.items()}

    def _is_open(self, move: MoveRow) -> bool:
        is_theirs = not (move.is_given or self.players[move.seat].is_you)
        return self.may_react and move.kind == Kind.PLACE and is_theirs

    def _address(self, number: int) -> str:
        return reverse("game-reaction", args=[self.slug, number])


def _choices(mine: set[str]) -> tuple[ReactionChoice, ...]:
    return tuple(ReactionChoice(word.value, str(REACTIONS[word]), word in mine) for word in ReactionWord)
