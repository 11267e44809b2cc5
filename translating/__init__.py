"""Gather the texts of the portal for translators: `make messages`. No part of the portal."""
