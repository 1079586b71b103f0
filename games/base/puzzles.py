"""The refusal of a day that has no puzzle: one that has not come, or that no address can name."""

from django.utils.translation import gettext_lazy as _

from games.errors import NotFound


def no_puzzle() -> NotFound:
    """Return the error: the same for every such day."""
    return NotFound(_("There is no puzzle of that day."), code="no-puzzle")
