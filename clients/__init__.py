"""Programs of others speak to the API: clients to copy."""
