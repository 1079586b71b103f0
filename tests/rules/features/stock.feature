Feature: Each piece once
  A colour has one of each piece.

  Scenario: A placed piece cannot be placed again
    Given Blue has placed L5:a1,b1,a2,a3,a4
    When Blue tries to place L5:c2,d2,e2,f2,c3
    Then it is refused for: already-placed
    And nothing has changed
    And no legal placement of Blue uses L5

  Scenario: The monomino too can be placed only once
    Given Green has placed 2:s20,t20
    When Green places 1:r19
    Then the placement is accepted
    And 1 is no longer in the stock of Green
    And no legal placement of Green uses 1
