Feature: Placements after the first
  A piece meets its own colour at a corner, never along an edge. Other colours may be touched anyhow.

  Scenario: Corner contact, no edge contact, free cells on the board: accepted
    Given Blue has placed V3:a1,b1,a2
    When Blue places L4:c2,c3,c4,d4
    Then the placement is accepted

  Scenario: Edge contact with the own colour is refused
    Given Red has placed I3:a18,a19,a20
    When Red tries to place O:b16,c16,b17,c17
    Then nothing speaks against it
    When Red tries to place O:b17,c17,b18,c18
    Then it is refused for: edge-contact
    And the cell at fault is b18
    And nothing has changed

  Scenario: A piece without corner contact is refused
    Given Yellow has placed O:s1,t1,s2,t2
    When Yellow tries to place T4:o5,n6,o6,p6
    Then it is refused for: no-corner-contact
    And nothing has changed

  Scenario: Another colour may be touched along an edge
    Given Green has placed I5:t16,t17,t18,t19,t20
    And Blue has placed I4:q15,q16,q17,q18
    When Green places V3:r15,s15,r16
    Then the placement is accepted
    And Green now has an edge in common with Blue

  Scenario: Another colour may be touched at a corner
    Given Green has placed I5:t16,t17,t18,t19,t20
    And Red has placed O:p13,q13,p14,q14
    When Green places 2:r15,s15
    Then the placement is accepted
    And Green now has a corner in common with Red

  Scenario: An occupied cell cannot be covered again
    Given Blue has placed V3:a1,b1,a2
    And Yellow has placed 2:c2,d2
    When Blue tries to place I3:c2,c3,c4
    Then it is refused for: overlap
    And the cell at fault is c2
    And nothing has changed

  Scenario: No cell of a piece may lie beyond the board
    Given Yellow has placed O:s1,t1,s2,t2
    When Yellow tries to place I5:r3,r4,r5,r6,r7
    Then nothing speaks against it
    When Yellow tries to place V3:u3,v3,u4
    Then it is refused for: off-board
    And the cells at fault are u3, v3, u4
    And nothing has changed

  Scenario: A placed piece stays where it is
    Given Blue has placed V3:a1,b1,a2
    When Blue tries to place V3:c2,d2,c3
    Then it is refused for: already-placed
    And the cells at fault are a1, b1, a2
    And nothing has changed
    And no legal placement of any colour covers a1, b1 or a2
    And there is no action that moves or removes a piece

  Scenario: One shared corner of the own colour is enough
    Given Blue has placed 1:a1
    When Blue places V3:b2,c2,b3
    Then the placement is accepted
    And Blue's pieces touch at exactly one corner

  Scenario Outline: No colour may lie along its own edge
    Given <colour> has placed <first>
    When <colour> tries to place <second>
    Then one reason for the refusal is edge-contact

    Examples:
      | colour | first             | second            |
      | Blue   | V3:a1,b1,a2       | 2:c1,d1           |
      | Yellow | 1:t1              | 2:t2,t3           |
      | Red    | 2:a19,a20         | I3:b20,c20,d20    |
      | Green  | I3:r20,s20,t20    | V3:q19,r19,q20    |

  Scenario: An edge in common with another colour is no obstacle
    Given Red has placed 2:a19,a20
    And Yellow has placed I4:c16,c17,c18,c19
    When Red places I3:b16,b17,b18
    Then the placement is accepted
    And Red now has an edge in common with Yellow

  Scenario: A corner in common with another colour is no obstacle, and no help
    Given Blue has placed 1:a1
    And Green has placed O:d3,e3,d4,e4
    When Blue places 2:b2,c2
    Then the placement is accepted
    And Blue now has a corner in common with Green
    When Blue tries to place I3:f5,f6,f7
    Then one reason for the refusal is no-corner-contact
