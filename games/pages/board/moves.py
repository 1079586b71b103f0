"""What happened and what is to come, in words: the history's lines, and the sentence under the board."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby

from django.utils import timezone
from django.utils.translation import gettext, ngettext, pgettext

from games.clock import Still, still_time
from games.pages.board.clocks import stills_text, why_still
from games.pages.board.table import PlayerView
from games.queries.play.moves import MoveRow
from games.queries.play.since import Since
from games.queries.play.state import GameState, TurnState
from games.values import GivenDay, HolidayFact, Kind, Reason
from games.words import boards, clocks, deadlines, moments, names, sentences
from games.words.happenings import absences, gifts
from games.words.moments import When

#: After so long it is said since when a person is waited for.
LONG_WAIT = timedelta(days=1)


@dataclass(frozen=True)
class ReactionView:
    """A mark that a player has given to a placement, and who says what by it: "bob: Nice"."""

    word: str
    said: str
    is_mine: bool


@dataclass(frozen=True)
class MoveView:
    """One line of the history: number, colour (empty for a retirement), who, and what they did.

    A bot that plays for an absent player is who does it: "Sage, level 4" "placed F for Anna". What was given no player
    did: "Blue" "placed F".
    `is_new` says that it happened since the viewer's last turn, `when` when it happened, `took` how long its player
    took. Both are empty where that is not known, and for a move made in the same second as the one before it.
    `piece` is the one to picture, "" for none, and `replay` where the game is shown after the move. A line of several
    moves has the number of the last, and `since`, that of the first; 0 for one move. `reactions` are what players have
    said of it by marks, `react` where the viewer can say something (`games.pages.board.reactions`).
    """

    number: int
    colour: str
    who: str
    what: str
    is_automatic: bool
    is_new: bool = False
    when: When | None = None
    took: str = ""
    piece: str = ""
    replay: str = ""
    since: int = 0
    reactions: tuple[ReactionView, ...] = ()
    react: str = ""


@dataclass(frozen=True)
class TurnView:
    """The sentence under the board.

    `lead` says whose turn it is, `rest` which colour's, `note` which colours and players were left out and why, and
    what a player who is waited for may expect. `left` is the time on the clock, `left_in_words` the same to be heard,
    `exact` its end, `stills` when it does not run before (`games.pages.board.clocks`). `is_urgent` says that the
    viewer's time is nearly up.
    """

    lead: str
    rest: str
    note: str
    deadline: datetime | None
    left: str
    left_in_words: str
    exact: str
    is_late: bool
    is_urgent: bool
    stills: str


def move_views(
    players: Sequence[PlayerView],
    moves: Sequence[MoveRow],
    since: Since | None = None,
    *,
    started_at: datetime | None = None,
    now: datetime | None = None,
    pauses: Sequence[Still] = (),
    days: Sequence[GivenDay] = (),
    holidays: Sequence[HolidayFact] = (),
    replay: str = "",
    pictured: int = 0,
) -> tuple[MoveView, ...]:
    """Return the lines of the history, in order; those since the viewer's last turn are marked, where given.

    Each says how long its move took where `started_at` says when the game began, how much of the time since the one
    before it the game was paused, how much of the holidays of its player lay in it, and that `days` were given for it.
    `now` is the moment by default. A number put behind the address `replay` shows the game after that move. Of so many,
    the latest, the pieces are pictured.
    """
    new = {move.number for move in since.moves} if since else ()
    now, deeds = now or timezone.now(), _deeds()
    lines: list[MoveView] = []
    given, spent = _given(moves, days), _holiday_spans(holidays)
    times = (started_at if each.is_given else each.played_at for each in moves)
    for before, move in zip([started_at, *times], moves, strict=False):
        player, away = players[move.seat], spent.get(move.seat, ())
        took = _took(move, before, pauses, away, given.get(move.number, 0))
        piece = _piece(move)
        lines.append(
            MoveView(
                number=move.number,
                colour=move.colour,
                who=_who(move, player),
                what=_what(move, player, deeds[0] if player.is_you and not move.is_given else deeds[1]),
                is_automatic=move.is_automatic,
                is_new=move.number in new,
                when=moments.when(move.played_at, now) if took or not lines or started_at is None else None,
                took=took,
                piece=piece if move.number > len(moves) - pictured else "",
                replay=f"{replay}{move.number}" if replay else "",
            )
        )
    return tuple(lines)


def fold_passes(lines: Sequence[MoveView]) -> tuple[MoveView, ...]:
    """Return the lines with each run of colours that pass by themselves as one, which leads to the first of them."""
    runs = groupby(lines, key=lambda line: line.is_automatic and bool(line.colour))
    return tuple(line for is_run, run in runs for line in (_as_one(tuple(run)) if is_run else run))


def _as_one(run: tuple[MoveView, ...]) -> tuple[MoveView, ...]:
    if len(run) == 1:
        return run
    colours = dict.fromkeys(line.colour for line in run)
    listed = sentences.listed([sentences.colour(colour) for colour in colours])
    if len(colours) == len(run):
        what = pgettext("colours", "%(colours)s passed") % {"colours": listed}
    else:
        passes = ngettext("%(n)d pass: %(colours)s", "%(n)d passes: %(colours)s", len(run))
        what = passes % {"n": len(run), "colours": listed}
    first, last = run[0], run[-1]
    is_new = any(line.is_new for line in run)
    return (
        replace(
            last, colour="", who="", what=what, since=first.number, is_new=is_new, when=first.when, replay=first.replay
        ),
    )


def _piece(move: MoveRow) -> str:
    return move.placement.partition(":")[0]


def _who(move: MoveRow, player: PlayerView) -> str:
    """Return who did it; what is given was done by nobody, and the colour stands for them."""
    if move.is_given:
        return sentences.colour(move.colour)
    return names.bot_name(move.bot) if _is_for(move, player) else player.name


def _is_for(move: MoveRow, player: PlayerView) -> bool:
    return bool(move.bot) and not player.is_bot


def _what(move: MoveRow, player: PlayerView, deeds: Mapping[str, str]) -> str:
    """Return what was done, after the name of its doer."""
    deed = deeds[f"{_deed(move)} for" if _is_for(move, player) else _deed(move, player)]
    return deed % {"piece": sentences.piece_called(_piece(move)), "name": player.name}


def _took(
    move: MoveRow, before: datetime | None, pauses: Sequence[Still], holidays: Sequence[Still], given: int
) -> str:
    """Return how long a move took since the one before, how long of that the game was paused and its player away, and
    how many days were given for it.

    Empty where it made itself. Where a pause and a holiday overlap, both are told, and neither counts as taken.
    """
    if before is None or move.played_at is None or move.is_automatic:
        return ""
    paused, away, still = (
        still_time(spans, before, move.played_at).total_seconds() for spans in (pauses, holidays, (*pauses, *holidays))
    )
    took = moments.took((move.played_at - before).total_seconds() - still)
    told = took, moments.paused(paused), moments.holidays(away), gifts.days_given(given)
    return ", ".join(filter(None, told))


def _holiday_spans(holidays: Sequence[HolidayFact]) -> Mapping[int, Sequence[Still]]:
    """Return when the player in each seat who has taken holidays was or will be away."""
    spans = defaultdict[int, list[Still]](list)
    for one in holidays:
        spans[one.seat].append((one.begins_at, one.ends_at))
    return spans


def _given(moves: Sequence[MoveRow], days: Sequence[GivenDay]) -> Counter[int]:
    """Return how many days were given for which moves, by their numbers.

    The retirement of another player may have taken the number for which a day was given, or a takeback its move.
    """
    turns = [move for move in moves if not move.is_automatic] if days else []
    taken = (
        next((move for move in turns if move.seat == day.seat and move.version > day.version), None) for day in days
    )
    return Counter(move.number for move in taken if move)


def told_since(lines: Sequence[MoveView], since: Since) -> str:
    """Return what happened since the viewer's last turn in one sentence with the numbers of the moves."""
    sentence = gettext("Last round: %(moves)s.") if since.is_round else gettext("Since your last turn: %(moves)s.")
    return sentence % {"moves": listed_since(lines, since)}


def listed_since(lines: Sequence[MoveView], since: Since) -> str:
    """Return what happened since the viewer's last turn: "6 Ann placed F, 7 Bob passed"."""
    return ", ".join(f"{line.number} {line.who} {line.what}" for line in lines[since.before :])


def _deed(move: MoveRow, player: PlayerView | None = None) -> str:
    """Return what was done, as a key of `_deeds`, by a player who is known where it may be for want of pieces.

    What a colour holds now says it of any earlier pass: who cannot place will not place again.
    """
    if move.kind == Kind.PASS:
        if not move.is_automatic:
            return "passed"
        holds = {colour.code: colour.pieces_left for colour in player.colours} if player else {}
        return "skipped" if holds.get(move.colour, 1) else "emptied"
    if move.kind == Kind.PLACE:
        return "placed"
    return "late" if move.retired == Reason.OUT_OF_TIME else "resigned"


def _deeds() -> tuple[dict[str, str], dict[str, str]]:
    """Return what is said after "You", and after another player's name: not the same in every language."""
    yours = {
        "placed": pgettext("you", "placed %(piece)s"),
        "passed": pgettext("you", "passed"),
        "skipped": pgettext("you", "passed: no moves left"),
        "emptied": pgettext("you", "passed: no pieces left"),
        "placed for": pgettext("you", "placed %(piece)s for you"),
        "passed for": pgettext("you", "passed for you"),
        "late": pgettext("you", "ran out of time"),
        "resigned": pgettext("you", "resigned"),
    }
    theirs = {
        "placed": pgettext("they", "placed %(piece)s"),
        "passed": pgettext("they", "passed"),
        "skipped": pgettext("they", "passed: no moves left"),
        "emptied": pgettext("they", "passed: no pieces left"),
        "placed for": pgettext("they", "placed %(piece)s for %(name)s"),
        "passed for": pgettext("they", "passed for %(name)s"),
        "late": pgettext("they", "ran out of time"),
        "resigned": pgettext("they", "resigned"),
    }
    return yours, theirs


def turn_view(state: GameState, players: Sequence[PlayerView], since: Since) -> TurnView | None:
    """Return whose turn it is and why; None once the game is over.

    What the viewer is to do is said until others have moved `since`: then a phone has its one line for what they did.
    Where a colour has no piece on the board yet, it is said in any case how its first one is placed.
    """
    turn = state.turn
    if turn is None:
        return None
    player = players[turn.seat]
    lead, rest = _paused(turn, player) if state.game.is_paused else _to_play(turn, player, _todo(state, turn, since))
    is_urgent = state.rights.is_my_turn and turn.seconds is not None and turn.seconds < state.game.time.urgent
    notes = (
        _held(state),
        why_still(turn, player, state.now),
        _waited_for(state, turn, is_urgent),
        *(_left(players[seat]) for seat in turn.left),
        _passed(turn.passed),
    )
    return TurnView(
        lead=lead,
        rest=rest,
        note=" ".join(filter(None, notes)),
        deadline=turn.deadline,
        left="" if turn.seconds is None else clocks.clock_text(turn.seconds),
        left_in_words="" if turn.seconds is None else clocks.time_in_words(turn.seconds),
        stills=stills_text(turn),
        exact=deadlines.exact(turn.deadline),
        is_late=turn.is_late,
        is_urgent=is_urgent,
    )


def _to_play(turn: TurnState, player: PlayerView, todo: str) -> tuple[str, str]:
    """Return whose turn it is, and the colour; a viewer who is to move is told what to do."""
    label = sentences.colour(turn.colour)
    if player.is_away:
        text = gettext("%(bot)s is playing for you") if player.is_you else gettext("%(bot)s is playing for %(name)s")
        return text % {"bot": names.bot_name(turn.bot), "name": player.name}, label
    if player.is_you:
        lead = pgettext("in one short line with the colour", "Your turn")
        return lead, gettext("%(colour)s: %(what)s") % {"colour": label, "what": todo} if todo else label
    if turn.bot:
        return gettext("%(name)s is thinking") % {"name": player.name}, _usually(label, turn.usual)
    lead = gettext("%(name)s to play") % {"name": player.name}
    return lead, gettext("%(colour)s, out of time") % {"colour": label} if turn.is_late else label


def _todo(state: GameState, turn: TurnState, since: Since) -> str:
    """Return what the player to move does next, empty where no more than the colour is said."""
    if turn.is_blocked:
        return gettext("no moves left, so pass")
    position = state.position
    if position.last_piece(turn.colour) is None:
        return boards.first_step(position.variant, turn.colour)
    return "" if since.moves else gettext("pick a piece")


def _usually(label: str, seconds: int) -> str:
    """Return which colour a bot thinks about, and how long that takes, where it is long enough to be waited for."""
    if not seconds:
        return label
    return gettext("%(colour)s, usually %(n)d s") % {"colour": label, "n": seconds}


def _paused(turn: TurnState, player: PlayerView) -> tuple[str, str]:
    values = {"name": player.name, "colour": sentences.colour(turn.colour)}
    rest = gettext("you play next: %(colour)s") if player.is_you else gettext("%(name)s plays next: %(colour)s")
    return gettext("Paused"), rest % values


def _held(state: GameState) -> str:
    """Return until when bots among themselves are paused, to viewers who cannot let them go on."""
    if not state.game.is_paused or state.pause.is_on or state.rights.can_control:
        return ""
    return gettext("The bots wait until the player who opened the game resumes it.")


def _passed(colours: Sequence[str]) -> str:
    """Return which colours passed since the last placement, so that no turn seems to be missing."""
    if not colours:
        return ""
    listed = sentences.listed([sentences.colour(colour) for colour in colours])
    return gettext("%(colours)s passed: no moves left.") % {"colours": listed}


def _left(player: PlayerView) -> str:
    """Return that a player has just left the game; viewers who left themselves read more (`absence_view`)."""
    if player.is_you:
        return ""
    if player.has_run_out:
        return gettext("%(name)s ran out of time and is out of the game.") % {"name": player.name}
    return gettext("%(name)s resigned.") % {"name": player.name}


def _waited_for(state: GameState, turn: TurnState, is_urgent: bool) -> str:
    """Return what being late means for the viewer, or since when the others wait for a person."""
    if state.rights.is_my_turn:
        if turn.is_late:
            return gettext("Your time is up.")
        return absences.if_time_runs_out(len(state.seats), state.game.absent_bot) if is_urgent else ""
    if turn.bot or state.pause.is_on or turn.since is None or state.now - turn.since < LONG_WAIT:
        return ""
    return gettext("Waiting since %(day)s.") % {"day": sentences.day(turn.since)}
