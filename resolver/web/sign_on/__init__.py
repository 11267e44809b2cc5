"""Sign-on: people who log in at an identity provider, by OpenID Connect or SAML."""
