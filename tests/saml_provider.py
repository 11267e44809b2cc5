"""A SAML identity provider on a socket. It signs with python3-saml, and a test says what its answers hold."""

import base64
import threading
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import lxml.etree
import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from onelogin.saml2.utils import OneLogin_Saml2_Utils

SUBJECT_ID = "urn:oasis:names:tc:SAML:attribute:subject-id"
UID, MEMBER_OF = "urn:oid:0.9.2342.19200300.100.1.1", "urn:oid:1.3.6.1.4.1.5923.1.5.1.1"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
REFUSED = "urn:oasis:names:tc:SAML:2.0:status:Responder"
_numbers = count(1)


def make_key_pair() -> tuple[str, str]:
    """A private key, and a certificate that holds for a day."""
    key, now = rsa.generate_private_key(65537, 2048), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode()


@dataclass
class SamlPerson:
    """Whom an answer names, and what else it says; all is right at first."""

    subject: str = "subject of ada"
    name_format: str = PERSISTENT
    attributes: dict[str, list[str]] = field(default_factory=lambda: {UID: ["ada"], MEMBER_OF: ["library"]})
    issuer: str = ""
    audience: str = ""
    recipient: str | None = ""
    destination: str | None = ""
    in_response_to: str = ""
    confirms: str | None = None
    lasts: float = 300
    status: str = SUCCESS


class SamlProvider:
    def __init__(self) -> None:
        self.key, self.certificate = make_key_pair()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.metadata: Any = self.describe()
        self.person = SamlPerson()
        self.requests: list[str] = []

    def describe(self, entity_id: str = "", certificate: str = "") -> str:
        """The metadata."""
        text = "".join((certificate or self.certificate).splitlines()[1:-1])
        return (
            '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" '
            f'entityID="{entity_id or self.url}"><md:IDPSSODescriptor '
            'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing">'
            f'<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>{text}'
            "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService "
            f'Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="{self.url}/sso"/>'
            "</md:IDPSSODescriptor></md:EntityDescriptor>"
        )

    def answer(self, address: str, person: SamlPerson | None = None, key: str = "", encrypt_for: str = "") -> str:
        """The answer, in Base64, to the request in this address; signed with this key."""
        sent = parse_qs(urlsplit(address).query)["SAMLRequest"][0]
        request = ElementTree.fromstring(zlib.decompress(base64.b64decode(sent), -15))
        asked, place = request.attrib["ID"], request.attrib["AssertionConsumerServiceURL"]
        portal = request.findtext("{urn:oasis:names:tc:SAML:2.0:assertion}Issuer") or ""
        return self._write(asked, place, portal, person or self.person, key, encrypt_for)

    def _write(self, asked: str, place: str, portal: str, said: SamlPerson, key: str, encrypt_for: str) -> str:
        now = datetime.now(UTC)
        begin, end = (
            (now + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ") for seconds in (-60, said.lasts)
        )
        head = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'
        issuer = f"<saml:Issuer>{said.issuer or self.url}</saml:Issuer>"
        confirms = said.confirms if said.confirms is not None else f'InResponseTo="{asked}" '
        audience = said.audience or portal
        restriction = (
            f"<saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction>"
            if audience != "none"
            else ""
        )
        attributes = "".join(
            f'<saml:Attribute Name="{name}">'
            + "".join(f"<saml:AttributeValue>{escape(value)}</saml:AttributeValue>" for value in values)
            + "</saml:Attribute>"
            for name, values in said.attributes.items()
        )
        statement = f"<saml:AttributeStatement>{attributes}</saml:AttributeStatement>" if attributes else ""
        assertion = (
            f'<saml:Assertion {head} ID="_a{next(_numbers)}" Version="2.0" IssueInstant="{begin}">{issuer}'
            f'<saml:Subject><saml:NameID Format="{said.name_format}">{escape(said.subject)}</saml:NameID>'
            '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData '
            f'{confirms}{_write_address("Recipient", said.recipient, place)}NotOnOrAfter="{end}"/>'
            "</saml:SubjectConfirmation>"
            f'</saml:Subject><saml:Conditions NotBefore="{begin}" NotOnOrAfter="{end}">{restriction}</saml:Conditions>'
            f'<saml:AuthnStatement AuthnInstant="{begin}"><saml:AuthnContext><saml:AuthnContextClassRef>'
            "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>"
            f"</saml:AuthnStatement>{statement}</saml:Assertion>"
        )
        signed = OneLogin_Saml2_Utils.add_sign(assertion, key or self.key, self.certificate).decode()
        if encrypt_for:
            signed = f"<saml:EncryptedAssertion {head}>{_encrypt(signed, encrypt_for)}</saml:EncryptedAssertion>"
        to = f'InResponseTo="{said.in_response_to or asked}"' if said.in_response_to != "none" else ""
        inside = signed if said.status == SUCCESS else ""
        response = (
            f'<samlp:Response {head} ID="_r{next(_numbers)}" Version="2.0" IssueInstant="{begin}" '
            f"{_write_address('Destination', said.destination, place)}{to}>{issuer}<samlp:Status>"
            f'<samlp:StatusCode Value="{said.status}"/></samlp:Status>{inside}</samlp:Response>'
        )
        return base64.b64encode(response.encode()).decode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class SamlPages(BaseHTTPRequestHandler):
            """The metadata, and a page with a button that sends the answer to the portal."""

            def do_GET(self) -> None:
                provider.requests.append(self.path)
                content = provider.metadata
                if self.path.startswith("/sso"):
                    sent = parse_qs(urlsplit(self.path).query)["SAMLRequest"][0]
                    request = ElementTree.fromstring(zlib.decompress(base64.b64decode(sent), -15))
                    content = (
                        f'<form method="post" action="{request.attrib["AssertionConsumerServiceURL"]}">'
                        f'<input type="hidden" name="SAMLResponse" value="{provider.answer(self.path)}">'
                        "<button>Confirm</button></form>"
                    )
                self.send_response(content if isinstance(content, int) else 200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                if isinstance(content, str):
                    self.wfile.write(content.encode())

            def log_message(self, *_: Any) -> None: ...

        return SamlPages

    def __enter__(self) -> "SamlProvider":
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _write_address(name: str, said: str | None, place: str) -> str:
    """An attribute with what is said; `{}` in it, or "", is the address that was asked for. None: no attribute."""
    return "" if said is None else f'{name}="{(said or "{}").format(place)}" '


def _encrypt(assertion: str, certificate: str) -> str:
    keys = xmlsec.KeysManager()
    keys.add_key(xmlsec.Key.from_memory(certificate, xmlsec.KeyFormat.CERT_PEM, None))
    template = xmlsec.template.encrypted_data_create(
        lxml.etree.Element("x"), xmlsec.Transform.AES128, type=xmlsec.EncryptionType.ELEMENT, ns="xenc"
    )
    xmlsec.template.encrypted_data_ensure_cipher_value(template)
    info = xmlsec.template.encrypted_data_ensure_key_info(template, ns="dsig")
    wrapped = xmlsec.template.add_encrypted_key(info, xmlsec.Transform.RSA_OAEP)
    xmlsec.template.encrypted_data_ensure_cipher_value(wrapped)
    context = xmlsec.EncryptionContext(keys)
    context.key = xmlsec.Key.generate(xmlsec.KeyData.AES, 128, xmlsec.KeyDataType.SESSION)
    holder = lxml.etree.fromstring(f"<holder>{assertion}</holder>")
    return lxml.etree.tostring(context.encrypt_xml(template, holder[0])).decode()
