"""How much a caller may ask for in some time: DOIs of the API in a minute, and counts of other things by address."""
