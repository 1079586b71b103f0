Feature: Board and stock
  Four colours share a board of 20 by 20 cells. Each starts in a corner of its own with the same 21 pieces.

  Scenario: A new game starts from an empty board and full stocks
    Given a new game for four
    Then the board has 400 cells and all of them are free
    And each of Blue, Yellow, Red and Green has 21 different pieces of 1 to 5 cells
    And together the pieces of a colour have 89 cells

  Scenario: A piece may be turned and flipped before it is placed
    Given a new game for four
    When Blue considers its piece F in the corner a1
    Then every turned or flipped form of F that covers a1 on the board is a legal placement
    And nothing else covering a1 with F is one
