"""The uploaded table with the accepted DOIs in its cells, and every other byte as it was."""
