"""The page on which a person reviews the corrections of a list."""
