"""The page of one handle record, with the parameters of the proxy."""
