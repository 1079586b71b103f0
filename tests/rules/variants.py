"""The variants that rules tests ask for by name."""

from games.rules import VARIANTS

CLOCKWISE, DUO, JUNIOR = VARIANTS["classic-4"], VARIANTS["duo"], VARIANTS["junior"]
