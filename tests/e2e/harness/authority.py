"""Certificates of authorities that a test makes."""

import datetime
import ipaddress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def new_key():
    return ec.generate_private_key(ec.SECP256R1())


def write_key(key, path: Path, password: bytes | None = None) -> Path:
    encryption = (serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption())
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption))
    return path


def certificate(name: str, key, issuer_name: str, issuer_key, is_authority: bool = False) -> bytes:
    """A certificate as PEM; one that is no authority's is for this machine."""
    def named(text):
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (x509.CertificateBuilder().subject_name(named(name)).issuer_name(named(issuer_name))
               .public_key(key.public_key()).serial_number(x509.random_serial_number())
               .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
               .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True))
    if not is_authority:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def make_authority(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """A private authority: the file with its certificate, and the options with which `gluecat serve` has one of it."""
    authority, own = new_key(), new_key()
    ca = folder / "ca.pem"
    ca.write_bytes(certificate("authority", authority, "authority", authority, is_authority=True))
    (folder / "server.pem").write_bytes(certificate("server", own, "authority", authority))
    return ca, ("--tls-certificate", str(folder / "server.pem"),
                "--tls-key", str(write_key(own, folder / "server-key.pem")))
