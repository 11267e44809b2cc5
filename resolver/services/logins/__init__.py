"""Log-ins: accounts, identities and tokens, and bounds on guessed and hashed passwords."""
