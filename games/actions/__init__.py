"""What people and bots do: one use case a file, each one transaction, in a folder by what it is done to.

What holds for everything done to a game or a study that is there:

- The actor is a user; to place and to pass also an `access.BotSeat`. The first step is a door of `games.base.access`,
  which finds the row and locks it. What the actor may not see is answered exactly as what does not exist.
- An action does all of it, or raises an error of `games.errors` and changes nothing.
- Asked for twice, it is done once. A move has a client key, by which the same request gets the same answer; other
  actions look first whether it is done already.
- Events are published for after the commit; `games.wiring` says who hears them. An action calls no other action, no
  socket and no job.
- Rows are locked in one order: a person, then games from old to new, and counters last (`games.base.counters`).
- `now` is when it happens, which tests and demonstrations choose; without it, the present.
"""
