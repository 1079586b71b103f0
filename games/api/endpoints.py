"""What programs can ask for, each an action or a query of the site behind the door that it needs."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query, Router

from accounts import limits
from accounts.doors import person
from games import access
from games.actions.agree_pause import agree_pause
from games.actions.ask_pause import ask_pause
from games.actions.cancel_game import cancel_game
from games.actions.choose_seat import choose_seat
from games.actions.come_back import come_back
from games.actions.create_game import create_game
from games.actions.decline_invitation import decline_invitation
from games.actions.drop_pause import drop_pause
from games.actions.end_pause import end_pause
from games.actions.join_game import join_game
from games.actions.leave_game import leave_game
from games.actions.pass_turn import pass_turn
from games.actions.play_placement import play_placement
from games.actions.rematch import rematch
from games.actions.resign import resign
from games.api import schemas
from games.api.door import LOOKING, PLAYING, READING, SITTING
from games.api.problems import Problem
from games.counting import CHOICES_AN_HOUR, PAUSES_AN_HOUR, count_table
from games.errors import BadRequest, NotFound, WrongStatus
from games.lifecycle import Outcome
from games.pages.my_games import going_seats
from games.queries.open_tables import open_tables
from games.queries.state import GameState, game_state, state_for, time_mark
from games.rules import VARIANTS, Placement, RulesError, get_variant
from games.rules.placement import table_for

router = Router()

#: The tag of what needs no token; documents say it otherwise (`games.api.site`).
PUBLIC = "public"


def responses(good: object, *errors: int) -> dict[object, object]:
    """Return what an endpoint answers: the good answer, and problems with these statuses, 400, 401, 403 and 429."""
    return {204 if good is None else 200: good, **dict.fromkeys(sorted({400, 401, 403, 429, *errors}), Problem)}


@router.get("me", auth=READING, response=responses(schemas.Me), url_name="api-me", tags=["you"])
def show_me(request: HttpRequest) -> schemas.Me:
    """Say for whom the token acts."""
    user = person(request)
    return schemas.Me(name=user.username, language=user.language, time_zone=user.time_zone)


@router.get("games", auth=READING, response=responses(schemas.MyGamesOut), url_name="api-games", tags=["you"])
def list_my_games(request: HttpRequest) -> schemas.MyGamesOut:
    """List your games that are not over: those that wait for you first, the nearest deadline first."""
    seats = going_seats(person(request), ("turn", "waiting", "invited", "open"))
    lines = {key: [schemas.GameLine.of(player) for player in found] for key, found in seats.items()}
    return schemas.MyGamesOut(**lines)


@router.post("games", auth=SITTING, response=responses(schemas.GameOut), url_name="api-games", tags=["tables"])
def make_table(request: HttpRequest, table: schemas.NewTable) -> schemas.GameOut:
    """Open a table; without an empty seat the game begins at once."""
    user, setup = person(request), table.setup()
    count_table(user, setup)
    return schemas.GameOut.of(game_state(user, create_game(user, setup).slug))


@router.get(
    "games/{slug}",
    auth=LOOKING,
    response=responses(schemas.GameOut, 404),
    url_name="api-game",
    tags=["games", PUBLIC],
)
def show_game(
    request: HttpRequest, response: HttpResponse, slug: str, token: str = ""
) -> schemas.GameOut | HttpResponse:
    """Show a game as you see it. `token` is the secret of an invitation link.

    The answer has an ETag. Send it as If-None-Match: while nothing has changed the answer is 304, without a body.
    """
    seen, now = access.game_to_view(request.user, slug, token), timezone.now()
    tag = f'"{seen.version}.{request.user.pk or 0}.{time_mark(seen, now)}"'
    # A compressed answer has a weak tag.
    if request.headers.get("If-None-Match", "").removeprefix("W/") == tag:
        known = HttpResponse(status=304)
        known["ETag"] = tag
        return known
    response["ETag"] = tag
    return schemas.GameOut.of(state_for(seen, request.user, token, now))


@router.get(
    "games/{slug}/placements",
    auth=LOOKING,
    response=responses(schemas.Legal, 404, 409),
    exclude_none=True,
    url_name="api-placements",
    tags=["games", PUBLIC],
)
def list_placements(request: HttpRequest, slug: str, asked: Query[schemas.Asked]) -> schemas.Legal:
    """List the legal placements of a colour, by default of the one to play.

    `piece` names the only piece that is asked for. With `texts=true` they are written out too.
    """
    state = _running(request, slug)
    variant, colour = state.position.variant, asked.colour or (state.turn.colour if state.turn else "")
    if colour not in state.position.colours_in_play:
        raise BadRequest(_("This game has no such colour."), field="colour")
    ids = state.position.legal_ids(colour)
    if asked.piece or asked.texts:
        found = [(number, state.position.placement(number)) for number in ids]
        found = [(number, each) for number, each in found if asked.piece in ("", each.piece)]
        ids, texts = tuple(number for number, _each in found), [str(each) for _number, each in found]
    return schemas.Legal(
        variant=variant.id,
        number=state.game.number,
        colour=colour,
        ids=list(ids),
        placements=texts if asked.texts else None,
    )


@router.post(
    "games/{slug}/place",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409, 422),
    url_name="api-place",
    tags=["moves"],
)
def send_placement(request: HttpRequest, slug: str, move: schemas.PlacingIn) -> schemas.PlayedOut:
    """Place a piece for the colour to play, by its text or by its id."""
    text = move.placement
    if move.id is not None:
        text = _text_of(request, slug, move.id)
    return _played(
        play_placement(person(request), slug, placement=text, number=move.number, key=_key(request, move, text))
    )


@router.post(
    "games/{slug}/pass",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409, 422),
    url_name="api-pass",
    tags=["moves"],
)
def declare_pass(request: HttpRequest, slug: str, move: schemas.Due) -> schemas.PlayedOut:
    """Pass for a colour that has no legal placement, at a table that declares passes."""
    return _played(pass_turn(person(request), slug, number=move.number, key=_key(request, move, "pass")))


@router.post(
    "games/{slug}/resign",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409),
    url_name="api-resign",
    tags=["moves"],
)
def resign_game(request: HttpRequest, slug: str, move: schemas.Resigning) -> schemas.PlayedOut:
    """Give the game up, on any turn; once is enough."""
    return _played(resign(person(request), slug, number=move.number, key=move.key))


@router.post(
    "games/{slug}/back",
    auth=PLAYING,
    response=responses(schemas.PlayedOut, 404, 409),
    url_name="api-back",
    tags=["moves"],
)
def return_to_game(request: HttpRequest, slug: str) -> schemas.PlayedOut:
    """Take your turns again after a bot has taken them for you."""
    return _played(come_back(person(request), slug))


@router.post(
    "games/{slug}/pause/ask",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-ask",
    tags=["pauses"],
)
def request_pause(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """Ask the others for a pause, or agree where one of them has asked; alone with bots it begins at once."""
    limits.count_use(f"pause:{person(request).pk}", PAUSES_AN_HOUR, 3600)
    ask_pause(person(request), slug, pause_version=wish.version)
    return schemas.GameOut.of(game_state(request.user, slug))


@router.post(
    "games/{slug}/pause/agree",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-agree",
    tags=["pauses"],
)
def accept_pause(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Agree to the pause that another player wants; it begins when all have agreed."""
    agree_pause(person(request), slug, request=answer.request)
    return schemas.GameOut.of(game_state(request.user, slug))


@router.post(
    "games/{slug}/pause/drop",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-drop",
    tags=["pauses"],
)
def refuse_pause(request: HttpRequest, slug: str, answer: schemas.PauseAnswer) -> schemas.GameOut:
    """Withdraw your request for a pause, or decline another player's."""
    drop_pause(person(request), slug, request=answer.request)
    return schemas.GameOut.of(game_state(request.user, slug))


@router.post(
    "games/{slug}/pause/end",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-pause-end",
    tags=["pauses"],
)
def let_go_on(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """End the pause: clocks have as much time then as they had when it began."""
    end_pause(person(request), slug, pause_version=wish.version)
    return schemas.GameOut.of(game_state(request.user, slug))


@router.post(
    "games/{slug}/join",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-join",
    tags=["tables"],
)
def take_seat(request: HttpRequest, slug: str, wish: schemas.Joining) -> schemas.GameOut:
    """Take a seat at a table, or accept an invitation to it; the last seat starts the game."""
    user = person(request)
    join_game(user, slug, seat=wish.seat, colour=wish.colour, token=wish.token)
    return schemas.GameOut.of(game_state(user, slug))


@router.post(
    "games/{slug}/leave", auth=SITTING, response=responses(None, 404, 409), url_name="api-leave", tags=["tables"]
)
def leave_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Empty your seat at a table that has not started."""
    leave_game(person(request), slug)
    return HttpResponse(status=204)


@router.post(
    "games/{slug}/decline", auth=SITTING, response=responses(None, 404, 409), url_name="api-decline", tags=["tables"]
)
def decline_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Say no to an invitation."""
    decline_invitation(person(request), slug)
    return HttpResponse(status=204)


@router.post(
    "games/{slug}/seat",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-seat",
    tags=["tables"],
)
def change_colour(request: HttpRequest, slug: str, wish: schemas.Colouring) -> schemas.GameOut:
    """Choose another colour at a table where players choose, until the game begins."""
    user = person(request)
    limits.count_use(f"choose-seat:{limits.requester(request)}", CHOICES_AN_HOUR, 3600)
    choose_seat(user, slug, colour=wish.colour)
    return schemas.GameOut.of(game_state(user, slug))


@router.post(
    "games/{slug}/cancel", auth=SITTING, response=responses(None, 404, 409), url_name="api-cancel", tags=["tables"]
)
def close_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up the table that you have opened, before it starts."""
    cancel_game(person(request), slug)
    return HttpResponse(status=204)


@router.post(
    "games/{slug}/rematch",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-rematch",
    tags=["tables"],
)
def ask_rematch(request: HttpRequest, slug: str, wish: schemas.Rematch) -> schemas.GameOut:
    """Open the table that follows a finished game, or sit down at it where another player has opened it."""
    user = person(request)
    count_table(user)
    return schemas.GameOut.of(game_state(user, rematch(user, slug, rotates=wish.rotated).slug))


@router.get(
    "lobby", auth=LOOKING, response=responses(list[schemas.TableLine]), url_name="api-lobby", tags=["tables", PUBLIC]
)
def list_tables(request: HttpRequest) -> list[schemas.TableLine]:
    """List the public tables that wait for players, the newest first, a hundred at most."""
    return [schemas.TableLine.of(table) for table in open_tables()]


@router.get(
    "variants",
    auth=LOOKING,
    response=responses(list[schemas.VariantLine]),
    url_name="api-variants",
    tags=["boards", PUBLIC],
)
def list_variants(request: HttpRequest) -> list[schemas.VariantLine]:
    """List the boards that can be played."""
    return [schemas.line_of(variant) for variant in VARIANTS.values()]


@router.get(
    "variants/{variant}",
    auth=LOOKING,
    response=responses(schemas.VariantOut, 404),
    url_name="api-variant",
    tags=["boards", PUBLIC],
)
def show_variant(request: HttpRequest, variant: str) -> schemas.VariantOut:
    """Show a board as data: its cells, start cells, pieces and seats."""
    try:
        return schemas.VariantOut.of(get_variant(variant))
    except RulesError as error:
        raise NotFound(_("There is no such board."), code="no-variant") from error


def _running(request: HttpRequest, slug: str) -> GameState:
    state = game_state(request.user, slug)
    if not isinstance(state, GameState):
        raise WrongStatus(_("The game has not started yet."), code="not-started")
    if state.turn is None:
        raise WrongStatus(_("The game is over."), code="game-over")
    return state


def _text_of(request: HttpRequest, slug: str, placement: int) -> str:
    """Return the text of the placement of that id in a game's variant. Two queries."""
    variant = access.game_to_view(request.user, slug).variant
    try:
        found: Placement = table_for(get_variant(variant)).placement(placement)
    except (IndexError, OverflowError) as error:
        raise BadRequest(_("There is no placement of that id on this board."), field="id") from error
    return str(found)


def _key(request: HttpRequest, move: schemas.Due, what: str) -> str:
    """Return the key of a request, made of what it asks for where it has none: sent twice it is one move."""
    made = f"{person(request).pk} {move.number} {what}".encode("utf-8", "replace")
    return move.key or hashlib.blake2s(made, digest_size=16).hexdigest()


def _played(outcome: Outcome) -> schemas.PlayedOut:
    return schemas.PlayedOut(number=outcome.number, version=outcome.version, repeated=outcome.is_repeat)
