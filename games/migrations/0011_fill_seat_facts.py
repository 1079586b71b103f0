"""Write the facts of 0010 for the games that are there, a range of games at a time.

Each statement is a transaction of its own: a site that is still served waits for one range and not for all.
"""

from django.db import migrations
from django.db.models import Case, Exists, F, OuterRef, Subquery, Value, When
from django.db.models.functions import StrIndex, Substr

#: Games that one statement writes.
RANGE = 5000


def fill(apps, schema_editor):
    """Write what `games.table.lifecycle` writes from now on."""
    Game, Player = apps.get_model("games", "Game"), apps.get_model("games", "Player")
    last = Game.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    for start in range(0, last + 1, RANGE):
        end = start + RANGE
        _fill_games(Game.objects.filter(pk__gte=start, pk__lt=end), Player.objects.all())
        _fill_seats(Game.objects.all(), Player.objects.filter(game__gte=start, game__lt=end))
    with schema_editor.connection.cursor() as cursor:
        for statement in TALLIES:
            cursor.execute(statement)


def _fill_games(games, players):
    seats = players.filter(game=OuterRef("pk")).order_by()
    to_play = seats.filter(seat=OuterRef("turn_seat"))
    started = games.filter(status__in=("running", "finished"))
    started.filter(~Exists(seats.filter(bot=""))).update(is_of_bots=True)
    started.filter(is_public=True, move_count__gte=8).update(is_featured=True)
    running = games.filter(status="running")
    running.update(turn_user=Subquery(to_play.values("user")[:1]))
    running.filter(~Exists(to_play.filter(bot="")), is_paused=False).update(is_bot_due=True)
    running.filter(turn_user__isnull=False).update(is_notice_due=True)


def _fill_seats(games, seats):
    seats.filter(game__status__in=("finished", "cancelled")).update(is_going=False)
    game = games.filter(pk=OuterRef("game")).annotate(colon=StrIndex("variant", Value(":")))
    kind = Case(When(colon=0, then=F("variant")), default=Substr("variant", 1, F("colon") - 1))
    winners = seats.model.objects.filter(game=OuterRef("game"), is_winner=True).exclude(pk=OuterRef("pk")).order_by()
    ended = seats.filter(game__status="finished")
    ended.update(
        ended_at=Subquery(game.values("finished_at")[:1]),
        is_public=Subquery(game.values("is_public")[:1]),
        variant=Subquery(game.annotate(kind=kind).values("kind")[:1]),
        result=Case(
            When(is_winner=False, then=Value("lost")), When(Exists(winners), then=Value("tied")), default=Value("won")
        ),
    )


TALLIES = (
    "DELETE FROM games_tally",
    """INSERT INTO games_tally (user_id, variant, result, is_public, number)
    SELECT user_id, variant, result, is_public, COUNT(*) FROM games_player
    WHERE user_id IS NOT NULL AND ended_at IS NOT NULL GROUP BY user_id, variant, result, is_public""",
    """INSERT INTO games_tally (user_id, variant, result, is_public, number)
    SELECT creator_id, '', 'watched', FALSE, COUNT(*) FROM games_game WHERE is_of_bots GROUP BY creator_id""",
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0010_seat_facts"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
