"""What people and their programs are told, and by which way: kinds, devices, feeds, webhooks, a table's channel."""
