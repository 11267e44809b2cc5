"""Lists of retracted works: loaded from Retraction Watch's file, and joined to the DOIs of results."""
