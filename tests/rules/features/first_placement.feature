Feature: The first placement
  The first piece of a colour covers the corner that belongs to that colour.

  Scenario Outline: A first piece that covers the own corner is accepted
    Given a new game for four in which it is <colour>'s turn
    When <colour> places <placement>
    Then the placement is accepted
    And the cells of <placement> belong to <colour>
    And <piece> is no longer in the stock of <colour>

    Examples:
      | colour | placement             | piece |
      | Blue   | V3:a1,b1,a2           | V3    |
      | Yellow | L4:r1,s1,t1,t2        | L4    |
      | Red    | I5:a16,a17,a18,a19,a20 | I5   |
      | Green  | O:s19,t19,s20,t20     | O     |

  Scenario Outline: A first piece elsewhere is refused
    Given a new game for four in which it is <colour>'s turn
    When <colour> tries to place <placement>
    Then it is refused for: start-cell
    And the cell at fault is <corner>
    And nothing has changed

    Examples:
      | colour | placement             | corner |
      | Blue   | V3:b1,c1,b2           | a1     |
      | Yellow | V3:a1,b1,a2           | t1     |
      | Red    | I5:b16,b17,b18,b19,b20 | a20   |
      | Green  | O:j10,k10,j11,k11     | t20    |
