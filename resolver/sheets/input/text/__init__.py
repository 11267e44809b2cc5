"""Tables as text: the encoding, the separator, compressed files and JSON lines."""
