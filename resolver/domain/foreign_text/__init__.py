"""Texts from outside, before they are read as DOIs: numbers, names of charsets, pasted lines."""
