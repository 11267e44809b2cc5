"""Text as people write it: characters, spaces and ends, each with its place in the input."""
