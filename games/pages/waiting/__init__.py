"""What a table shows before its game begins: its making, its changes, its invitation."""
