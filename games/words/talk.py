"""The ready phrases of a table and the words of its reactions, as each reader reads them."""

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.values import ReactionWord, TalkPhrase

#: Every phrase but the one that names a day, in the order in which they are offered.
PHRASES: Mapping[str, str | Promise] = {
    TalkPhrase.HELLO: _("Hello"),
    TalkPhrase.LUCK: _("Good luck, have fun"),
    TalkPhrase.NICE_MOVE: _("Nice move"),
    TalkPhrase.WELL_BLOCKED: _("Well blocked"),
    TalkPhrase.CLOSE: _("That was close"),
    TalkPhrase.OOPS: _("Oops"),
    TalkPhrase.WRONG_PLACE: _("Sorry, I hit the wrong place"),
    TalkPhrase.SORRY: pgettext_lazy("said at a table", "Sorry"),
    TalkPhrase.TAKE_TIME: _("Take your time"),
    TalkPhrase.THINKING: _("I need to think about this"),
    TalkPhrase.GO_NOW: _("I have to go now"),
    TalkPhrase.HERE_AGAIN: _("I'm back"),
    TalkPhrase.PAUSE: _("Could we pause the game?"),
    TalkPhrase.FASTER: _("Could we play a bit faster?"),
    TalkPhrase.YES: _("Yes, gladly"),
    TalkPhrase.NO: _("Not today, sorry"),
    TalkPhrase.THANKS: _("Thank you"),
    TalkPhrase.WELCOME: _("You're welcome"),
    TalkPhrase.GOOD_GAME: _("Good game"),
    TalkPhrase.WELL_PLAYED: _("Well played"),
    TalkPhrase.REMATCH: pgettext_lazy("said at a table", "Rematch?"),
    TalkPhrase.GOODBYE: _("Goodbye"),
}

#: What each mark says that a player gives to a placement, in the order in which they are offered.
REACTIONS: Mapping[str, str | Promise] = {
    ReactionWord.NICE: pgettext_lazy("said of a placement", "Nice"),
    ReactionWord.CLEVER: pgettext_lazy("said of a placement", "Clever"),
    ReactionWord.WOW: pgettext_lazy("said of a placement", "Wow"),
    ReactionWord.HA: pgettext_lazy("said of a placement", "Ha"),
    ReactionWord.OUCH: pgettext_lazy("said of a placement", "Ouch"),
    ReactionWord.THANKS: pgettext_lazy("said of a placement", "Thanks"),
}


def phrase_said(phrase: str, day: date | None) -> str:
    """Return a ready phrase in the reader's language; one that the site no longer has is named by its key."""
    if phrase == TalkPhrase.AWAY and day is not None:
        return away_words(date_format(day, "DATE_FORMAT"))
    return str(PHRASES.get(phrase, phrase))


def away_words(day: str) -> str:
    """Return the phrase that names a day, with the day as it is written there."""
    return gettext("Away until %(day)s") % {"day": day}
