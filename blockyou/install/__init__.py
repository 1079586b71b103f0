"""What an installation needs once: its environment, its secret key, its backups."""
