"""The problems that a text, a name or a record may have: codes, severities and sentences."""
