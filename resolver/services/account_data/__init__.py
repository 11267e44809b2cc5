"""Everything that belongs to an account: as an archive for its person, and removed with the account."""
