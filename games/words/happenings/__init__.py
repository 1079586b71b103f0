"""Sentences about what happened in a game beside its moves: absences, given days, takebacks, what came meanwhile."""
