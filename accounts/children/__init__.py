"""Children's accounts as their guardians keep them."""
