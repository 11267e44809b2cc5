"""What a DOI stands for: the metadata that its agency gives, as CSL JSON, and texts with markup made plain."""
