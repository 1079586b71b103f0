"""The site's log, for its staff: a line for each message."""

import logging
from collections.abc import Callable

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.messages import Message

logger = logging.getLogger(__name__)


class LogChannel:
    """Lines in the log of the site for its staff, who read it anyway."""

    name, label = "log", _("Log")
    players = Q(user__is_active=True, user__is_staff=True)

    def is_offered(self) -> bool:
        """Return that every site has a log."""
        return True

    def is_confirmed(self, user: User) -> bool:
        """Return whether this person may read it."""
        return user.is_staff

    def state(self, user: User) -> str:
        """Return who finds messages there."""
        return gettext("The staff of this site find their messages in its log, too.")

    def send(self, user: User, message: Message, taken: Callable[[], object]) -> None:
        """Write the subject and the link of a message."""
        logger.info("%s: %s %s", user.username, message.subject, message.link)
        taken()
