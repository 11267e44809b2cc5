"""The account page: API tokens, the password, a person's data and the end of the account."""
