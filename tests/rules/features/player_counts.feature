Feature: Two and three players
  Two players have two colours each. Three players choose three colours; the fourth is not in the game.

  Scenario: Two players play four colours in the usual order
    Given a new game for two
    When nine pieces are placed, each by the colour whose turn it is
    Then the colours played in the order Blue, Yellow, Red, Green, Blue, Yellow, Red, Green, Blue
    And the first player played Blue and Red, the second Yellow and Green
    And each colour is bound by its own cells only

  Scenario: Two players start each colour in its own corner
    Given a new game for two
    When the first player places Blue on a1
    And the second player places Yellow on t1
    And the first player places Red on a20
    And the second player places Green on t20
    Then every colour has started in its corner
    And it is Blue's turn

  Scenario: Three players leave one colour out
    Given a new game for three with Green, Blue and Red
    When seven pieces are placed, each by the colour whose turn it is
    Then the colours played in the order Blue, Red, Green, Blue, Red, Green, Blue
    And Yellow has no turn, no piece and no corner
    And the colours in the game are bound by the same rules as among four
