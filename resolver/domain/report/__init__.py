"""The report on one text: outcome, problems, suggestion, and the difference of two reports."""
