"""A sample for the coding game: a large piece that reaches far towards the middle, by the shapes it was sent.

It works out which cells a move covers, as a program of your own will want to.
"""

from contextlib import suppress

shapes: dict[str, list[tuple[int, int]]] = {}


def squares(column: int, row: int, code: str) -> list[tuple[int, int]]:
    """Return the cells that a move covers: flip, then turn clockwise, then lay square n on the column and row."""
    letter, flip, turns, n = code[0], int(code[1]), int(code[2]), int(code[3])
    cells = shapes[letter]
    if flip:
        cells = [(y, x) for x, y in cells]
    for _ in range(turns):
        cells = [(-y, x) for x, y in cells]
    dx, dy = column - cells[n - 1][0], row - cells[n - 1][1]
    return [(x + dx, y + dy) for x, y in cells]


def worth(move: str, size: int) -> float:
    """Return how good a move looks: many cells, and one of them near the middle."""
    column, row, code = move.split()
    cells = squares(int(column), int(row), code)
    middle = (size - 1) / 2
    nearest = min(abs(x - middle) + abs(y - middle) for x, y in cells)
    return 3 * len(cells) - nearest


def main() -> None:
    for _ in range(int(input())):
        letter, columns, _rows, definition = input().split()
        width = int(columns)
        shapes[letter] = [(at % width, at // width) for at, mark in enumerate(definition) if mark == "#"]
    input()  # the number of players
    input()  # my number
    size = int(input())
    input()  # the letters of the pieces in play
    while True:
        for _ in range(size):
            input()  # a row of the board
        for _ in range(int(input())):
            input()  # a move of another player
        moves = [input() for _ in range(int(input()))]
        print(max(moves, key=lambda move: worth(move, size)), flush=True)


if __name__ == "__main__":
    # The end of the input is the end of the game.
    with suppress(EOFError):
        main()
