"""What people are to be told, and where: notices, devices, summaries, feeds, webhooks."""
