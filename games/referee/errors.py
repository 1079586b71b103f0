"""What can go wrong in a refereed game."""


class RefereeError(Exception):
    """No game can be played as asked; the text is a sentence for the person who asked."""


class LostGame(Exception):
    """A program has lost its game.

    `kind` is one of `FAULT_KINDS`, `why` the rest of a sentence that begins with the program, and `wrote` what it wrote
    in place of a move, shortened.
    """

    def __init__(self, kind: str, why: str, wrote: str = "") -> None:
        super().__init__(why)
        self.kind = kind
        self.why = why
        self.wrote = wrote[:LONGEST_OUTPUT]


#: Not started, too late, ended by itself, no move at all, a move against the rules.
FAULT_KINDS = ("unstarted", "late", "died", "malformed", "illegal")

#: So much of what a program wrote is kept, in characters.
LONGEST_OUTPUT = 200
