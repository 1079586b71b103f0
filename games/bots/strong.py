"""The engine that advises and reviews: the strongest there is, with a fixed budget."""

from games.bots.engines.protocol import Engine


def strong_engine(simulations: int) -> Engine:
    """Return an engine that plays so many games in thought about each position."""
    # Here, since a web process names these jobs and never thinks: it loads neither numpy nor the compiler.
    from games.bots.engines.search import SearchEngine

    return SearchEngine(simulations=simulations)
