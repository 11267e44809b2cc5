"""How much a caller may use in some time: DOIs of the API in a minute, and counts of other things by address."""
