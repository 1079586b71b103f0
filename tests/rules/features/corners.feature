Feature: What covering a corner means
  The first piece has to have the corner cell among its cells; later ones need one common corner.

  Scenario: A large first piece is accepted if one of its cells is the corner
    Given a new game for four in which it is Yellow's turn
    When Yellow places W:s1,t1,r2,s2,r3
    Then the placement is accepted
    And the cells of W:s1,t1,r2,s2,r3 belong to Yellow

  Scenario: A chain of corners may go on from a single corner
    Given Red has placed 1:a20
    And Red has placed 2:b19,c19
    And Red has placed V3:d17,d18,e18
    When Red places I3:f19,g19,h19
    Then the placement is accepted
    And the new piece touches Red at exactly one corner
