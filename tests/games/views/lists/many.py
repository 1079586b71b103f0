"""Many games at once, written straight into the tables: lists must cost the same for 10 and for 200."""

from collections import Counter
from datetime import timedelta

from accounts.models import User
from games.base import counters
from games.models import Game, Player, Status, Tally, TallyKey
from games.rules import Position
from tests.games.tables import NOON


def drawn(variant: object = "blockyou-2") -> str:
    """Return the board after four turns."""
    position = Position.start(str(variant))
    for _ in range(4):
        position = position.play(position.legal_placements()[0])
    return position.board


def finished(number: int, *people: User, scores: tuple[int, ...] = (-9, -4), **settings: object) -> list[Game]:
    """Write so many finished games of these people; the best scores win. The last one ended last."""
    games = Game.objects.bulk_create(
        Game(
            **{
                "variant": "blockyou-2",
                "creator": people[0],
                "status": Status.FINISHED,
                "move_count": 40,
                "board": drawn(settings.get("variant", "blockyou-2")),
                "created_at": NOON,
                "started_at": NOON,
                "changed_at": NOON,
                "finished_at": NOON + timedelta(hours=hour),
                "reason": "played-out",
                **settings,
            }
        )
        for hour in range(number)
    )
    _seat(games, people, scores)
    return games


def running(number: int, *people: User, turn: int = 0, **settings: object) -> list[Game]:
    """Write so many running games of these people in which that seat is to play, the first for the longest."""
    games = Game.objects.bulk_create(
        Game(
            **{
                "variant": "blockyou-2",
                "creator": people[0],
                "status": Status.RUNNING,
                "move_count": 4,
                "board": drawn(settings.get("variant", "blockyou-2")),
                "created_at": NOON,
                "changed_at": NOON,
                "turn_colour": "blue",
                "turn_seat": turn,
                "turn_since": NOON + timedelta(hours=hour),
                **settings,
            }
        )
        for hour in range(number)
    )
    _seat(games, people, (None,) * len(people))
    for game in games:
        game.turn_user = people[turn]
    Game.objects.bulk_update(games, ["turn_user"])
    return games


def open_tables(number: int, host: User, **settings: object) -> list[Game]:
    """Write so many public tables of two at which one seat is free for anyone."""
    games = Game.objects.bulk_create(
        Game(
            **{
                "variant": "blockyou-2",
                "creator": host,
                "created_at": NOON + timedelta(hours=hour),
                "changed_at": NOON,
                "is_listed": True,
                **settings,
            }
        )
        for hour in range(number)
    )
    seats = [Player(game=game, seat=seat, user=host if seat == 0 else None) for game in games for seat in (0, 1)]
    Player.objects.bulk_create(seats)
    return games


def _seat(games: list[Game], people: tuple[User, ...], scores: tuple[int | None, ...]) -> None:
    best = max((score for score in scores if score is not None), default=None)
    places = [None if mine is None else 1 + sum((other or 0) > mine for other in scores) for mine in scores]
    players = Player.objects.bulk_create(
        Player(game=game, seat=seat, user=user, score=score, is_winner=score is not None and score == best, place=place)
        for game in games
        for seat, (user, score, place) in enumerate(zip(people, scores, places, strict=True))
    )
    if best is not None:
        _end(players, "won" if scores.count(best) == 1 else "tied")
        counters.add_companions([game.pk for game in games])
        counters.add_head_to_heads([game.pk for game in games])


def _end(players: list[Player], best: str) -> None:
    """Write beside the seats of finished games, and into the tallies, what `games.table.lifecycle` writes there."""
    for player in players:
        game = player.game
        player.is_going, player.ended_at, player.is_public = False, game.finished_at, game.is_public
        player.result, player.variant = best if player.is_winner else "lost", game.variant_kind
    Player.objects.bulk_update(players, ["is_going", "ended_at", "is_public", "result", "variant"])
    kinds = (TallyKey(each.user_id or 0, each.variant, each.result, each.is_public) for each in players)
    Tally.objects.add(Counter(kinds))
