"""The processes of the site: what starts, watches and ends them, and what they listen on."""
