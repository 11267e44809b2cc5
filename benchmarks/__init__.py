"""What is measured, never asserted: `make bench` prints one table."""
