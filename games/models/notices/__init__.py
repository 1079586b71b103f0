"""Tables of what people and programs are told, and by which way: notices, devices, summaries, webhooks."""
