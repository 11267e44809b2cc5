"""The metadata of the SAML identity provider: its name, its login address, and the certificates of its signatures."""

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from lxml.etree import XMLSyntaxError
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from onelogin.saml2.xml_utils import OneLogin_Saml2_XML

from resolver import conf
from resolver.proxy.identity_requests import fetch_metadata

LONGEST_ENTITY_ID = 190  # characters: accounts are bound to it


def get_saml_provider() -> dict[str, Any]:
    """Return the provider as python3-saml wants it, at most ten minutes old. Raises IdentityRequestError, OSError if
    the file can't be read, and ValueError if it describes no provider."""
    place = f"{settings.SAML_IDP_METADATA} {settings.SAML_IDP_ENTITY_ID}"
    key = f"saml:{hashlib.sha256(place.encode()).hexdigest()}"
    found: dict[str, Any] | None = cache.get(key)
    if found is None:
        found = read_saml_provider()
        cache.set(key, found, timeout=600)  # so long a certificate that was replaced is still trusted
    return found


def read_saml_provider() -> dict[str, Any]:
    """Return the provider as its metadata describes it now. Raises as `get_saml_provider` does."""
    place, wanted = settings.SAML_IDP_METADATA, settings.SAML_IDP_ENTITY_ID
    is_address = place.startswith(("https://", "http://"))
    content = fetch_metadata(place, conf.user_agent()) if is_address else Path(place).read_bytes()
    try:
        tree = OneLogin_Saml2_XML.to_etree(content)
    except XMLSyntaxError as error:
        raise ValueError(f"{place} is no XML: {error}") from error
    nodes = OneLogin_Saml2_XML.query(tree, "//md:EntityDescriptor[md:IDPSSODescriptor]")
    names = [name for node in nodes if (name := str(node.get("entityID") or "")) and wanted in ("", name)]
    if len(names) != 1:
        raise ValueError(f"{place} describes {len(names)} identity providers that it could be, and must describe one")
    (name,) = names
    if len(name) > LONGEST_ENTITY_ID or "'" in name:
        raise ValueError(f"{place}: the entityID has a quotation mark or more than {LONGEST_ENTITY_ID} characters")
    found: dict[str, Any] = OneLogin_Saml2_IdPMetadataParser.parse(content, entity_id=name).get("idp", {})
    if not found.get("singleSignOnService"):
        raise ValueError(f"{place}: {name} has no SingleSignOnService with the binding HTTP-Redirect")
    if not (found.get("x509cert") or found.get("x509certMulti")):
        raise ValueError(f"{place}: {name} has no certificate for signatures")
    return found
