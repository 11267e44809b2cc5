"""MARC 21 and UNIMARC: as ISO 2709, as XML and as MarcEdit's text."""
