"""Text as people write it: its characters, spaces and ends, with the place of each in the input."""
