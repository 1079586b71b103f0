"""A sample for the coding game: of the moves that the referee lists, the first of a largest piece."""

from contextlib import suppress


def main() -> None:
    sizes: dict[str, int] = {}
    for _ in range(int(input())):
        letter, _columns, _rows, definition = input().split()
        sizes[letter] = definition.count("#")
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
        print(max(moves, key=lambda move: sizes[move.split()[2][0]]), flush=True)


if __name__ == "__main__":
    # The end of the input is the end of the game.
    with suppress(EOFError):
        main()
