"""Tables and constraints; no use cases (those are `games.actions`)."""

from games.models.advice import Advice
from games.models.game import Game, Reason, Status
from games.models.lease import Lease
from games.models.move import Kind, Move
from games.models.notice import Notice
from games.models.player import Access, Player
from games.models.review import Review, ReviewStatus
from games.models.study import Study
from games.models.thought import Thought

__all__ = [
    "Access",
    "Advice",
    "Game",
    "Kind",
    "Lease",
    "Move",
    "Notice",
    "Player",
    "Reason",
    "Review",
    "ReviewStatus",
    "Status",
    "Study",
    "Thought",
]
