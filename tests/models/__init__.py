"""The stored data: what is written comes back exactly."""
