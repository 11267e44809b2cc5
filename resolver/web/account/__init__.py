"""The account page: API tokens, and the password."""
