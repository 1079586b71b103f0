Feature: Blocking
  Contact alone decides. Nobody has to leave anybody a way.

  Scenario: A placement may shut another colour out
    Given Blue has placed 1:a1
    And Red has placed I5:c1,c2,c3,c4,c5
    When Red places 2:a6,b6
    Then the placement is accepted
    And Blue has fewer legal placements than before, and still some

  Scenario: A colour shut in by others has to pass, and that is all
    Given Yellow has placed 1:t1
    And Red has placed I3:s2,s3,s4
    Then Yellow has no legal placement
    And Yellow has to pass
    And Yellow has no legal placement after that either
