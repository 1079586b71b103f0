"""Moves taken back: at once where only bots play, else with the consent of everyone at the table."""
