"""The turns of workers: the order of the lists that they serve, the precheck and the check."""
