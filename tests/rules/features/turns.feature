Feature: The order of turns
  Blue, Yellow, Red, Green, and again from the beginning.

  Scenario: Four colours take turns in a fixed order
    Given a new game for four
    When nine pieces are placed, each by the colour whose turn it is
    Then the colours played in the order Blue, Yellow, Red, Green, Blue, Yellow, Red, Green, Blue

  Scenario: Nothing moves on until the colour to play has played
    Given a game in which Red is to play and can place
    When Red tries to pass
    Then the pass is refused because Red must place
    When Green tries to play out of turn
    Then the placement is refused because it is not Green's turn
    And it is still Red's turn
    When Red places a piece
    Then it is Green's turn
