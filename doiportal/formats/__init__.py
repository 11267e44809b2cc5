"""How dates and times are written, language by language; numbers are written as Django knows it."""
