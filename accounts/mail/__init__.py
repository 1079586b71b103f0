"""E-mails of accounts: what waits to be sent, which address is whose, confirming and giving back."""
