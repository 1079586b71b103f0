"""What is shown to guardians, and to children."""
