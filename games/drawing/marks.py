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
#: The mark of every other bot: a head with an aerial.
OTHER_MARK = "M5 9h14v10H5zM12 9V5M12 4h.01M9.5 14h.01M14.5 14h.01"
