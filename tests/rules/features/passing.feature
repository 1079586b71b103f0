Feature: Placing and passing
  A colour that can place must place. A colour that cannot has to pass.

  Scenario: A colour that can place must not pass
    Given a game in which Blue is to play and can place
    When Blue tries to pass
    Then the pass is refused because Blue must place
    And it is still Blue's turn
    When Blue places a piece
    Then it is Yellow's turn

  Scenario: A colour that cannot place passes
    Given a game in which Yellow is to play and is blocked
    When Yellow passes
    Then the pass is recorded for Yellow
    And it is Red's turn

  Scenario: Blocked colours pass one after the other while somebody can still place
    Given a game in which Red is to play, only Yellow can place, and Yellow will be the last
    When Red passes
    And Green passes
    And Blue passes
    Then the last recorded turns are passes of Red, Green and Blue
    And it is Yellow's turn
    And the game is not over
    When Yellow goes on placing and everybody blocked passes
    Then the game is over
    And the last recorded turns are passes of all four colours
