"""BibTeX and BibLaTeX: entries found by their braces, and the places of DOIs in their fields."""
