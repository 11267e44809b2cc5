"""The turns of workers: whose lists are served next, and what is done with them: the precheck and the check."""
