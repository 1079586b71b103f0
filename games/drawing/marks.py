"""The marks of the house's bots: line drawings of 24 by 24, one path each, for a stroke with round ends."""

from collections.abc import Mapping

#: By character, or by the stored name of a bot that has none.
MARKS: Mapping[str, str] = {
    # A die.
    "random": "M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
    # An open mouth.
    "greedy": "M18.5 7.2A8 8 0 1 0 18.5 16.8L12 12zM12.5 7.5h.01",
    # A leaf.
    "sage": "M6 18C6 9.5 10.5 5 19 5c0 8.5-4.5 13-13 13zM4 20l9-9",
    # A wall of bricks.
    "mason": "M4 6h16v12H4zM4 12h16M10 6v6M14 12v6",
    # A shield.
    "warden": "M12 3.5l7 2.5v5c0 4.7-2.8 7.7-7 9.5-4.2-1.8-7-4.8-7-9.5V6zM9 11.5l2.2 2.2 3.8-4.2",
    # A moon.
    "hermit": "M19.5 14.2A8 8 0 1 1 9.8 4.5a6.5 6.5 0 0 0 9.7 9.7z",
}
#: What people may choose (`accounts.models.OwnMark`): pieces of the game, and other simple shapes.
MARKS_OF_PEOPLE: Mapping[str, str] = {
    "corner": "M5 4h5.5v9.5H20V19H5z",
    "cross": "M9.3 4h5.4v5.3H20v5.4h-5.3V20H9.3v-5.3H4V9.3h5.3z",
    "stairs": "M4 4h5.3v5.3h5.4v5.4H20V20H9.3v-5.3H4z",
    "tee": "M4 5h16v5.4h-5.3V19H9.3v-8.6H4z",
    "bolt": "M4 6h10.7v6H20v6H9.3v-6H4z",
    "square": "M5 5h14v14H5zM12 5v14M5 12h14",
    "ring": "M4.5 4.5h15v15h-15zM9.5 9.5h5v5h-5z",
    "triangle": "M12 4.5l8.5 15h-17zM7.8 12h8.4",
    "hexagon": "M12 3.5l7.5 4.2v8.6L12 20.5l-7.5-4.2V7.7z",
    "star": "M12 3.8l2.5 5.4 5.9.7-4.4 4 1.2 5.9-5.2-3-5.2 3 1.2-5.9-4.4-4 5.9-.7z",
    "wave": "M3 9.5c3-4 6-4 9 0s6 4 9 0M3 15.5c3-4 6-4 9 0s6 4 9 0",
}
#: The mark of every other bot: a head with an aerial.
OTHER_MARK = "M5 9h14v10H5zM12 9V5M12 4h.01M9.5 14h.01M14.5 14h.01"
