"""The engine that advises and reviews: the strongest there is, with a fixed budget."""

from games.bots.engines.protocol import Engine
from games.rules import Position


def strong_engine(simulations: int) -> Engine:
    """Return an engine that simulates that number of games for each position."""
    # Here, since a web process names these jobs and never thinks: it loads neither numpy nor the compiler.
    from games.bots.engines.search import SearchEngine

    return SearchEngine(simulations=simulations)


def get_ready(position: Position) -> None:
    """Build the engine's tables of a board, once a process; takes seconds that are not counted as thinking."""
    from games.bots.engines.tables import tables_of

    tables_of(position)
