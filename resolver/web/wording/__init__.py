"""The words of all pages: labels, verdicts, the highlighting of a text, and the template filters for them."""
