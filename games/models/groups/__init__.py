"""Groups of people, such as a family or a club, and who belongs to them."""
