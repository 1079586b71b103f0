"""Write the openings of 0031 for the games that have ended, a range of games at a time, and count their results.

Which opening a game has followed is the rules' to say, and the list of openings: what they come to know later,
`manage.py audit_games --repair` writes.
"""

from collections import defaultdict

from django.db import migrations

#: Games that are read at a time, and the moves among which the first pieces of every colour are.
RANGE, FIRST = 1000, 40


def fill(apps, schema_editor):
    """Write what `games.table.cached` writes from now on."""
    from games.lines.entries import LINES

    Game = apps.get_model("games", "Game")
    variants = {variant for line in LINES.values() for variant in line.boards}
    last = Game.objects.order_by("pk").values_list("pk", flat=True).last() or 0
    for start in range(0, last + 1, RANGE):
        games = Game.objects.filter(pk__gte=start, pk__lt=start + RANGE, status="finished", variant__in=variants)
        _fill(apps, {game.pk: game for game in games})
    with schema_editor.connection.cursor() as cursor:
        for statement in RECORDS:
            cursor.execute(statement)


def _fill(apps, games):
    from games.lines.matching import line_of_seat, lines_followed
    from games.rules import Placement, get_variant

    Move, Player = apps.get_model("games", "Move"), apps.get_model("games", "Player")
    placed = defaultdict(list)
    moves = Move.objects.filter(game__in=games, kind="place", number__lte=FIRST).order_by("game", "number")
    for game, colour, text in moves.values_list("game_id", "colour", "placement"):
        placed[game].append((colour, Placement.parse(text, games[game].variant)))
    seats = defaultdict(list)
    for game, own in placed.items():
        variant = get_variant(games[game].variant)
        if found := lines_followed(variant, own):
            for seat, colours in enumerate(variant.seat_colours(games[game].colours or None)):
                if line := line_of_seat(found, colours):
                    seats[seat, line.line.key].append(game)
    for (seat, opening), of_games in seats.items():
        Player.objects.filter(game__in=of_games, seat=seat).update(opening=opening)


RECORDS = (
    "DELETE FROM games_openingrecord",
    """INSERT INTO games_openingrecord (opening, wins, ties, losses)
    SELECT opening,
        SUM(CASE WHEN result = 'won' THEN 1 ELSE 0 END),
        SUM(CASE WHEN result = 'tied' THEN 1 ELSE 0 END),
        SUM(CASE WHEN result = 'lost' THEN 1 ELSE 0 END)
    FROM games_player WHERE opening IS NOT NULL AND user_id IS NOT NULL GROUP BY opening""",
)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0031_openings"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
