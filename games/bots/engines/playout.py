"""Simulating a game to its end: by the policy among large pieces and answers, and by the replies that last did well.

A reply that was followed by a good result is given again whenever the same placement is made (last good reply: Drake
2009), until it is followed by a bad one. What such a game is worth to each seat is judged here too.
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, fractions, index, inlined, whole, zeros
from games.bots.engines.policy import Policy, pick, roll, score_all, weigh_all
from games.bots.engines.state import (
    BLOCKED,
    COLOURS,
    IS_OF_TWO,
    SEATED,
    SEATS,
    TO_PLAY,
    Rules,
    SearchState,
    answering,
    is_legal,
    largest,
    mover,
    next_active_colour,
    passes,
    place_piece,
    seat_scores,
)
from games.bots.engines.tables import Tables

#: Placements of a game that are kept: more than any game has.
DEEPEST = 256

#: The part of a reward that is no win, and the points by which half of it is earned.
MARGIN, MARGIN_SCALE = 0.5, 8.0

#: Placements that are enough to draw from, and those that are weighed at most.
ENOUGH, WEIGHED = 12, 24

#: On boards for two colours so many of the placements that are drawn answer the other side's latest, those of at least
#: so many cells (docs/decisions/0084-simulated-games-of-two-colours-answer.md).
ANSWERS, OF_DRAWN, SMALLEST_ANSWER = 700, 1024, 3

#: A reply is good that led to a larger reward.
GOOD = 0.5

# What `PlayoutGame.about` holds: how many placements were made, and which game it is.
LENGTH, NUMBER = 0, 1

#: Scores below the best that are told apart where placements are put in order: more than any weight reaches.
LEVELS = 1024

#: No placement.
NONE = -1


class PlayoutGame(NamedTuple):
    """A simulated game: the placements, the result, and what is remembered from the games before it.

    `placed`, `colours` and `movers` describe each placement in turn. `played` says by colour and placement when it was
    last made: `NUMBER` times `DEEPEST` plus its place in the game. `replies` is by colour and the placement before.
    `reward` and `won` are by seat. The rest is scratch space.
    """

    placed: Numbers
    colours: Numbers
    movers: Numbers
    played: Numbers
    replies: Numbers
    reward: Numbers
    won: Numbers
    about: Numbers
    found: Numbers
    scores: Numbers
    levels: Numbers
    totals: Numbers


def new_playout_game(placements: int) -> PlayoutGame:
    """Return room for games on a board with that number of placements."""
    return PlayoutGame(
        placed=zeros(DEEPEST),
        colours=zeros(DEEPEST),
        movers=zeros(DEEPEST),
        played=zeros(COLOURS * placements, 64),
        replies=zeros(COLOURS * placements),
        reward=fractions(COLOURS),
        won=fractions(COLOURS),
        about=zeros(2, 64),
        found=zeros(placements),
        scores=zeros(placements, 64),
        levels=zeros(LEVELS, 64),
        totals=zeros(COLOURS, 64),
    )


@compiled
def forget(game: PlayoutGame) -> None:
    """Start again, with nothing remembered."""
    game.about[LENGTH] = game.about[NUMBER] = 0
    for i in range(len(game.played)):
        game.played[i] = 0
        game.replies[i] = NONE


@inlined
def begin(game: PlayoutGame) -> None:
    """Begin the next game."""
    game.about[LENGTH] = 0
    game.about[NUMBER] += 1


@inlined
def make(tables: Tables, rules: Rules, state: SearchState, game: PlayoutGame, colour: int, placement: int) -> None:
    """Make a placement in a game, note it, and pass the turn on."""
    at = game.about[LENGTH]
    game.placed[at] = placement
    game.colours[at] = colour
    game.movers[at] = mover(rules, state, colour)
    game.played[colour * len(game.found) + placement] = game.about[NUMBER] * DEEPEST + at
    game.about[LENGTH] = at + 1
    place_piece(tables, rules, state, colour, placement)
    state.about[TO_PLAY] = next_active_colour(rules, colour)


@inlined
def play_out(
    tables: Tables, rules: Rules, state: SearchState, policy: Policy, game: PlayoutGame, luck: Numbers
) -> None:
    """Play on to the end of the game."""
    while True:
        colour = state.about[TO_PLAY]
        placement = NONE
        if not state.about[BLOCKED] >> colour & 1:
            placement = _reply(tables, rules, state, game, colour)
            if placement == NONE:
                placement = _drawn(tables, rules, state, policy, game, colour, luck)
        if placement != NONE:
            make(tables, rules, state, game, colour, placement)
        elif passes(rules, state, colour, game.totals):
            return
        else:
            state.about[TO_PLAY] = next_active_colour(rules, colour)


@inlined
def _reply(tables: Tables, rules: Rules, state: SearchState, game: PlayoutGame, colour: int) -> int:
    """Return what did well after the latest placement and is legal now, or NONE."""
    at = game.about[LENGTH]
    if not at:
        return NONE
    placement: int = game.replies[colour * len(game.found) + game.placed[at - 1]]
    return placement if placement != NONE and is_legal(tables, rules, state, colour, placement) else NONE


@inlined
def _drawn(
    tables: Tables, rules: Rules, state: SearchState, policy: Policy, game: PlayoutGame, colour: int, luck: Numbers
) -> int:
    """Return a placement drawn by the policy from the largest that answer a rival, or else at a random attach point.

    NONE if none is legal.
    """
    found, scores = game.found, game.scores
    count = whole(0)
    if rules.fixed[IS_OF_TWO] and roll(luck, OF_DRAWN) < ANSWERS:
        count = whole(_answers(tables, rules, state, game, colour, luck))
    if not count:
        count = whole(largest(tables, rules, state, colour, roll(luck, 1 << 20), ENOUGH, found))
    if not count:
        return NONE
    if count > WEIGHED:
        _thin(found, count, luck)
        count = WEIGHED
    best = score_all(tables, rules, state, policy, colour, found, count, scores)
    total = weigh_all(policy, scores, count, best)
    placement: int = found[pick(scores, count, total, luck)]
    return placement


@inlined
def _answers(tables: Tables, rules: Rules, state: SearchState, game: PlayoutGame, colour: int, luck: Numbers) -> int:
    """Write to `game.found` placements that cover a corner of the latest one, if a rival's; return how many."""
    at = game.about[LENGTH] - 1
    if at < 0 or game.movers[index(at)] == mover(rules, state, colour):
        return 0
    latest, whose, start = game.placed[index(at)], game.colours[index(at)], roll(luck, 1 << 20)
    return answering(tables, rules, state, colour, latest, whose, start, whole(SMALLEST_ANSWER), game.found)


@inlined
def _thin(found: Numbers, count: int, luck: Numbers) -> None:
    """Move an evenly spaced sample of what was found to the front, from a random start: placements of every kind."""
    offset = roll(luck, count)
    for i in range(WEIGHED):
        k = offset + i * count // WEIGHED
        if k >= count:
            k -= count
        found[i], found[k] = found[k], found[i]


@inlined
def write_rewards(rules: Rules, state: SearchState, game: PlayoutGame) -> None:
    """Write what each seat won of a finished game (1, shared by those who tie) and its reward, both 0 to 1.

    A part of the reward is the win; the rest grows with the margin over the best other seat.
    """
    totals = game.totals
    seat_scores(rules, state, totals)
    best, winners = -(1 << 30), 0
    for seat in range(rules.fixed[SEATS]):
        if rules.fixed[SEATED] >> seat & 1:
            if totals[seat] > best:
                best, winners = totals[seat], 0
            if totals[seat] == best:
                winners += 1
    for seat in range(rules.fixed[SEATS]):
        if not rules.fixed[SEATED] >> seat & 1:
            game.reward[seat] = game.won[seat] = 0.0
            continue
        other = -(1 << 30)
        for rival in range(rules.fixed[SEATS]):
            if rival != seat and rules.fixed[SEATED] >> rival & 1 and totals[rival] > other:
                other = totals[rival]
        ahead = (totals[seat] - other) / MARGIN_SCALE
        margin = 0.5 + 0.5 * ahead / (1.0 + abs(ahead))
        game.won[seat] = 1.0 / winners if totals[seat] == best else 0.0
        game.reward[seat] = (1.0 - MARGIN) * game.won[seat] + MARGIN * margin


@inlined
def remember(game: PlayoutGame) -> None:
    """Keep the replies of those who did well, and forget those of the others."""
    room = len(game.found)
    for i in range(1, game.about[LENGTH]):
        after = game.colours[i] * room + game.placed[i - 1]
        if game.reward[game.movers[i]] > GOOD:
            game.replies[after] = game.placed[i]
        elif game.replies[after] == game.placed[i]:
            game.replies[after] = NONE
