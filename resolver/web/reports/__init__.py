"""What goes to those who decide: charts as files, and a printable page about a list."""
