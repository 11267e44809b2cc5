"""The pages of one lookup and of the history."""
