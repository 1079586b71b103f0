"""Tables and constraints; no use cases (those are `games.actions`)."""

from games.models.game import Game, Reason, Status
from games.models.move import Kind, Move
from games.models.player import Access, Player

__all__ = ["Access", "Game", "Kind", "Move", "Player", "Reason", "Status"]
