"""What moderators have decided, in words."""

from django.utils.translation import gettext

from games.values import Measure


def measure_taken(measure: str, *, is_about_comment: bool) -> str:
    """Return what was done about a person; where something was hidden, whether a message or a comment in a study."""
    if measure == Measure.HIDE:
        return gettext("Comment hidden") if is_about_comment else gettext("Message hidden")
    return str(Measure(measure).label)
