"""What all pages share: login, language, labels, template filters."""
