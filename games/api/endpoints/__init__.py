"""What programs can ask for, each an action or a query of the site behind the door that it needs, by subject."""

from games.api.endpoints import (
    analysis,
    boards,
    chats,
    games,
    hosting,
    kindness,
    moves,
    pauses,
    people,
    receivers,
    records,
    streams,
    studies,
    tables,
    takebacks,
    talk,
    you,
)
from games.api.endpoints.answers import router

__all__ = [
    "analysis",
    "boards",
    "chats",
    "games",
    "hosting",
    "kindness",
    "moves",
    "pauses",
    "people",
    "receivers",
    "records",
    "router",
    "streams",
    "studies",
    "tables",
    "takebacks",
    "talk",
    "you",
]
