Feature: No other rules
  What is not written in R1-R6 cannot make a placement illegal.

  Scenario: Nobody has to keep a way open
    Given Blue has placed V3:a1,b1,a2
    And Yellow has placed 1:t1
    When Blue places F:c2,c3,d3,b4,c4
    Then the placement is accepted
    When Yellow claims that Blue has to keep paths open
    Then there is no such action
    And the legal placements of every colour are what they were before the claim

  Scenario: Nothing is ever captured or pushed away
    Given Blue has placed I3:a1,b1,c1
    And Red has placed I4:c3,c4,c5,c6
    When Red places 2:d1,d2
    Then the placement is accepted
    And Blue still owns a1, b1 and c1
    When Blue claims to capture c3
    Then there is no such action
    And the legal placements of every colour are what they were before the claim
