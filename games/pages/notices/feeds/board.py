"""The board of a game for a notice on a device, as the person with whom the device is logged in sees it."""

from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import NotFound
from games.notifications.picture import device_picture
from games.queries.play.moves import move_rows

NO_BOARD = _("There is no board at this address any more.")


def notice_board(user: User, slug: str) -> Callable[[], bytes]:
    """Return what draws the board of a game as it stands, a PNG, with what is new to this player outlined. Three
    queries; drawing asks none.

    Raises:
        NotFound: the person does not sit there, or there is no such game any more.
        WrongStatus: it has not started.

    """
    game = access.started_game_to_view(user, slug)
    if all(player.user_id != user.pk for player in game.players.all()):
        raise NotFound(NO_BOARD)
    return partial(device_picture, game, move_rows(game), user.pk)
