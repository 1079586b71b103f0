"""The moves of a game that were taken back, as pages list them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.pages.board.table import PlayerView
from games.queries.play.takebacks import TakenBack
from games.words import moments, sentences
from games.words.happenings.takebacks import taken_back_line
from games.words.moments import When


@dataclass(frozen=True)
class TakenBackView:
    """One time at which moves were taken back, in a sentence, and when; `replay` shows the game as it was from then."""

    text: str
    when: When | None
    replay: str


def taken_back_views(
    times: Sequence[TakenBack], players: Sequence[PlayerView], replay: str = "", now: datetime | None = None
) -> tuple[TakenBackView, ...]:
    """Return a line a time, in order. A number put behind the address `replay` shows the game after that move."""
    return tuple(
        TakenBackView(
            text=taken_back_line(
                players[one.seat].name,
                one.back_to,
                one.moves[-1].number,
                sentences.piece_called(one.piece),
                is_you=players[one.seat].is_you,
            ),
            when=moments.when(one.taken_at, now) if now else None,
            replay=f"{replay}{one.back_to - 1}" if replay else "",
        )
        for one in times
    )
