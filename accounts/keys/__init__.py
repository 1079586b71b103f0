"""How a person proves who they are besides the password, and where they are logged in."""
