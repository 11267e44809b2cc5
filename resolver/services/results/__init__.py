"""The rows of a list: which of them are wanted, how many there are of each kind, and all of them as a file."""
