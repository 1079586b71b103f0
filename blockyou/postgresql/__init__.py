"""PostgreSQL as the site uses it: Django's own engine, which does not wait for a server that is away."""
