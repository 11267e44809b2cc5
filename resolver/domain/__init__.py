"""What the answers about DOI names mean, and the verdict on a text: standard library only, no clock, no I/O."""
