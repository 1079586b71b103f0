"""What programs can ask for, each an action or a query of the site behind the door that it needs, by subject."""

# The document of the API lists addresses in the order in which they are imported here.
# isort: off
from games.api.endpoints import analysis, boards, branches, channels
from games.api.endpoints.play import games
from games.api.endpoints import groups, hosting
from games.api.endpoints.play import kindness, moves, pauses
from games.api.endpoints import people
from games.api.endpoints.play import plans
from games.api.endpoints import puzzles, webhooks, records, seeks, streams, studies, tables
from games.api.endpoints.play import takebacks, talk
from games.api.endpoints import you
from games.api.endpoints.answers import router

# isort: on

__all__ = [
    "analysis",
    "boards",
    "branches",
    "channels",
    "games",
    "groups",
    "hosting",
    "kindness",
    "moves",
    "pauses",
    "people",
    "plans",
    "puzzles",
    "records",
    "router",
    "seeks",
    "streams",
    "studies",
    "tables",
    "takebacks",
    "talk",
    "webhooks",
    "you",
]
