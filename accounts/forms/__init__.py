"""Forms of people: `entrance` bends allauth's, `own` has those it lacks."""
