"""The report on one text: outcome, problems, suggestion, and how two reports differ."""
