"""Read every stored game and replay it from its moves alone: python -m tests.reliability.audit prints what was found.

Run in the environment of an installation. The position is replayed twice: by the application's own `rebuild`, whose
result has to equal the stored rows, and by the rules directly.
"""

import json
import sys
from typing import Any

import django
from django.db import transaction


def main() -> None:
    """Print the moves and the faults of every game as JSON."""
    django.setup()
    from games.models import Game

    games = Game.objects.exclude(started_at=None).order_by("pk")
    json.dump({game.slug: report(game) for game in games}, sys.stdout)


def report(game: Any) -> dict[str, Any]:
    """Return a game's moves in order, and in words what is wrong with it."""
    moves = list(game.moves.all())
    numbers = [move.number for move in moves]
    faults = [] if numbers == [*range(1, len(moves) + 1)] else [f"the moves are numbered {numbers}"]
    if game.move_count != len(moves):
        faults.append(f"{len(moves)} moves, and {game.move_count} counted")
    if game.board != replayed(game, moves):
        faults.append("the board is not what the moves make of it")
    return {
        "moves": [[move.client_key, move.placement or move.kind] for move in moves],
        "faults": faults + differences(game),
    }


def replayed(game: Any, moves: list[Any]) -> str:
    """Return the board that the rules make of the moves."""
    from games.rules import Placement, Position

    position = Position.start(game.variant, colours=tuple(game.colours) or None)
    for move in moves:
        if move.kind == "place":
            position = position.play(Placement.parse(move.placement, game.variant))
        else:
            position = position.pass_turn() if move.kind == "pass" else position.retire(move.seat)
    return position.board


def differences(game: Any) -> list[str]:
    """Return the stored fields that a rebuild from the moves would change; nothing is kept."""
    from games.table.lifecycle import rebuild

    with transaction.atomic():
        before = stored(game)
        rebuild(type(game).objects.get(pk=game.pk))
        after = stored(game)
        transaction.set_rollback(True)
    # That a notice of the turn is due follows from the moves; that it has been settled since does not.
    if not before["is_notice_due"]:
        before["is_notice_due"] = after["is_notice_due"]
    return [f"{key}: {before[key]} is stored, {after[key]} follows" for key in before if before[key] != after[key]]


def stored(game: Any) -> dict[str, Any]:
    """Return the game's row and its seats' rows, field by field."""
    row = type(game).objects.filter(pk=game.pk).values().get()
    return {**row, **{f"seat {seat['seat']}": seat for seat in game.players.values()}}


if __name__ == "__main__":
    main()
