Feature: The end of a game
  A game ends when every colour has passed in succession.

  Scenario: Four passes in a row end the game at once
    Given a game in which Green is to play and nobody can place
    When Green passes
    And Blue passes
    And Yellow passes
    Then the game is not over
    When Red passes
    Then the game is over
    And it is nobody's turn

  Scenario: A placement after three passes keeps the game going
    Given a game in which three colours have just passed and the fourth can place
    When the fourth colour places a piece
    Then the game is not over
    And it is the turn of the colour that passed first
    And four more passes in a row are needed to end the game
