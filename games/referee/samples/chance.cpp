// A sample for the coding game: any of the moves that the referee lists.
// Build it with: g++ -O2 -o chance chance.cpp
#include <iostream>
#include <random>
#include <string>
#include <vector>

int main() {
    std::mt19937 dice{std::random_device{}()};
    std::string line;
    int shapes, size, count;
    std::cin >> shapes;
    std::getline(std::cin, line);
    for (int i = 0; i < shapes; ++i) std::getline(std::cin, line);  // letter columns rows definition
    int players, me;
    std::string letters;
    std::cin >> players >> me >> size >> letters;
    while (true) {
        for (int i = 0; i < size; ++i)
            if (!(std::cin >> line)) return 0;  // a row of the board; none: the game is over
        std::cin >> count;
        std::getline(std::cin, line);
        for (int i = 0; i < count; ++i) std::getline(std::cin, line);  // a move of another player
        std::cin >> count;
        std::getline(std::cin, line);
        std::vector<std::string> moves(count);
        for (auto& move : moves) std::getline(std::cin, move);
        std::cout << moves[std::uniform_int_distribution<int>(0, count - 1)(dice)] << std::endl;
    }
}
