"""What a text means as a DOI: finding the name, undoing the wrapping, and the candidates beside it."""
