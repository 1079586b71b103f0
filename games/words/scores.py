"""The score between two people, in words: who leads, and by what."""

from django.utils.translation import gettext, ngettext

from games.values import ScoreOfTwo


def score_on_card(score: ScoreOfTwo, name: str) -> str:
    """Return the score against a person of that name for a line about a game, whose score it is not.

    Empty before the first game.
    """
    if not score.games:
        return ""
    return gettext("%(won)d:%(lost)d against %(name)s") % {**_numbers(score), "name": name}


def score_line(score: ScoreOfTwo) -> str:
    """Return the score as a line of its own, with how many games were tied."""
    if score.won == score.lost:
        text = gettext("Level at %(won)d:%(lost)d")
    else:
        text = gettext("You lead %(won)d:%(lost)d") if score.won > score.lost else gettext("You trail %(won)d:%(lost)d")
    return _with_ties(text % _numbers(score), score)


def score_against(score: ScoreOfTwo, name: str) -> str:
    """Return the score against a person of that name, as a heading."""
    if score.won == score.lost:
        text = gettext("You and %(name)s are level at %(won)d:%(lost)d")
    elif score.won > score.lost:
        text = gettext("You lead %(won)d:%(lost)d against %(name)s")
    else:
        text = gettext("You trail %(won)d:%(lost)d against %(name)s")
    return text % {**_numbers(score), "name": name}


def score_on_board(score: ScoreOfTwo, board: str) -> str:
    """Return the score of two people who have played on this board alone."""
    if score.won == score.lost:
        text = gettext("level at %(won)d:%(lost)d")
    else:
        text = gettext("you lead %(won)d:%(lost)d") if score.won > score.lost else gettext("you trail %(won)d:%(lost)d")
    return _with_ties(gettext("%(board)s: %(score)s") % {"board": board, "score": text % _numbers(score)}, score)


def score_by_board(score: ScoreOfTwo, board: str) -> str:
    """Return the score on one board of several."""
    text = gettext("%(board)s: %(won)d:%(lost)d") % {**_numbers(score), "board": board}
    return _with_ties(text, score)


def _with_ties(text: str, score: ScoreOfTwo) -> str:
    if not score.tied:
        return text
    values = {"score": text, "n": score.tied}
    return ngettext("%(score)s, %(n)d tied", "%(score)s, %(n)d tied", score.tied) % values


def _numbers(score: ScoreOfTwo) -> dict[str, int]:
    return {"won": score.won, "lost": score.lost}
