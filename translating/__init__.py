"""Texts that people read, gathered for those who translate them: `make messages`. No part of the portal."""
