Feature: Scores
  Every cell left costs a point. A colour that has placed everything gets a bonus instead.

  Scenario: A colour loses a point for each cell it has left
    Given the pieces left at the end are
      | colour | pieces |
      | Blue   | L4 I3  |
      | Yellow |        |
      | Red    | V3     |
      | Green  | X T4   |
    And Yellow placed the monomino before its last piece
    When the scores are counted
    Then Blue has -7 points, of which nothing is a bonus
    And Red has -3 points, of which nothing is a bonus
    And Green has -9 points, of which nothing is a bonus
    And Yellow has no cell left, which is 0 before its bonus

  Scenario: A colour that has placed all its pieces gets 15 points
    Given Red has placed all 21 pieces, and the last was not the monomino
    When the scores are counted
    Then Red has 15 points, of which 15 are a bonus

  Scenario: A colour that has placed the monomino last of all gets 20 points
    Given Yellow has placed all 21 pieces, and the last was the monomino
    When the scores are counted
    Then Yellow has 20 points, of which 20 are a bonus

  Scenario: The highest score wins
    When the final scores are Blue -5, Yellow +15, Red -3, Green -9
    Then the winner is Yellow

  Scenario: Equal best scores are a tie
    When the final scores are Blue +15, Yellow +15, Red -3, Green -9
    Then the winners are Blue and Yellow

  Scenario: Scores are counted alike for two, three and four
    Given the same colours with the same pieces left, in games for two, three and four
    When the scores are counted
    Then each colour has the same points in all of them
    And a player's points are the sum over the colours of the seat
