"""Children's accounts, their guardians, and whom they meet."""
