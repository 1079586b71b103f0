"""What the players at a table have said of placements by marks."""

from dataclasses import dataclass

from accounts.models import User
from games.base import access
from games.base.apart import heard_by
from games.base.talk import has_talk
from games.models import Game, Reaction


@dataclass(frozen=True)
class ReactionState:
    """That the player in this seat has given a word to the move of that number."""

    number: int
    seat: int
    word: str


def reactions_of(game: Game, reader: access.Viewer) -> tuple[ReactionState, ...]:
    """Return the reactions that this person is shown, by moves and then as they were given; none for who only looks.

    Not those of people whose words the reader is not shown. One query, and those of `apart_from`, where anyone has
    ever reacted in the game (needs the players fetched).
    """
    if not game.has_reactions or not isinstance(reader, User) or not has_talk(game, reader):
        return ()
    seats = {player.user_id: player.seat for player in game.players.all() if player.user_id is not None}
    given = heard_by(reader, Reaction.objects.filter(move__game=game)).order_by("move__number", "given_at", "pk")
    rows = given.values_list("move__number", "author", "word")
    return tuple(ReactionState(number, seats[author], word) for number, author, word in rows if author in seats)
