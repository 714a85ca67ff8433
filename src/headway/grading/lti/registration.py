"""A course folder's registration with its platform, and its private key.

    DIR/.headway/lti/platform.json      addresses, and the client id from the platform
    DIR/.headway/lti/private-key.pem    never leaves this folder
    DIR/.headway/lti/sent.json          which scores were sent

Only the owner can read these files.
"""

import json
import os
import stat
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from jwcrypto.jwk import JWK
from pylti1p3.registration import Registration

from headway.errors import UserError
from headway.grading.files import write_private
from headway.grading.settings import STATE

OF_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
OPTIONS = {
    "issuer": "--issuer",
    "client_id": "--client-id",
    "token_url": "--token-url",
    "lineitems": "--lineitems",
}


@dataclass(frozen=True)
class Platform:
    """A platform's data for registering a tool.

    Attributes:
        issuer: the platform's identifier, a URL.
        client_id: the platform's id of this tool.
        token_url: URL for access tokens.
        lineitems: URL of the course's grade items.
        members: URL of the course's class list; empty if the platform has none.
        audience: the audience of token requests, if it is not `token_url`.
    """

    issuer: str = ""
    client_id: str = ""
    token_url: str = ""
    lineitems: str = ""
    members: str = ""
    audience: str = ""

    @property
    def lacking(self) -> list[str]:
        """Options of `headway class lti` that must still be set before scores can be sent."""
        return [option for name, option in OPTIONS.items() if not getattr(self, name)]


def lti_folder(folder: Path) -> Path:
    """The folder of these files."""
    return folder / STATE / "lti"


def write_lti_file(path: Path, text: str) -> None:
    """Write one of these files, in a folder that only the owner can read."""
    path.parent.parent.mkdir(exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.parent.chmod(0o700)
    write_private(path, text)


def platform_of(folder: Path) -> Platform:
    """The registration of a course folder's platform; unknown fields are empty."""
    try:
        known = json.loads((lti_folder(folder) / "platform.json").read_text(encoding="utf-8"))
        return Platform(**{one.name: str(known.get(one.name, "")) for one in fields(Platform)})
    except FileNotFoundError:
        return Platform()
    except (ValueError, AttributeError) as error:
        raise UserError(
            f"{lti_folder(folder) / 'platform.json'} cannot be read. Delete it, and set the "
            "platform again: headway class lti --help"
        ) from error


def keep_platform(folder: Path, platform: Platform) -> None:
    """Save the platform's registration.

    Raises:
        UserError: if a URL is invalid, or would send scores unencrypted.
    """
    for name in ("issuer", "token_url", "lineitems", "members"):
        if address := getattr(platform, name):
            require_safe(address)
    write_lti_file(lti_folder(folder) / "platform.json", json.dumps(asdict(platform), indent=2))


def require_safe(address: str) -> None:
    """Require an https URL, or http for this machine only.

    Raises:
        UserError: if it is not.
    """
    try:
        parts = urlsplit(address)
        local = parts.hostname in OF_THIS_MACHINE
    except ValueError:
        parts, local = urlsplit(""), False
    if not parts.hostname or parts.username or parts.scheme not in ("https", "http"):
        raise UserError(f"{address!r:.200} is no web address. Expected one with https.")
    if parts.scheme == "http" and not local:
        raise UserError(
            f"{address!r:.200} is not encrypted, but grades would travel over it. Expected one "
            "with https."
        )


def key_of(folder: Path) -> JWK:
    """The course folder's private key; created on the first call.

    Raises:
        UserError: if others can read it.
    """
    path = lti_folder(folder) / "private-key.pem"
    if not path.exists():
        key = JWK.generate(kty="RSA", size=2048)
        write_lti_file(path, key.export_to_pem(private_key=True, password=None).decode())
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UserError(
            f"Others can read {path}, and could send scores in your name. Delete it, run "
            "`headway class lti` for a new key, and give the platform that one."
        )
    try:
        return JWK.from_pem(path.read_bytes())
    except ValueError as error:
        raise UserError(
            f"{path} is no private key. Delete it, and run `headway class lti` for a new one."
        ) from error


def public_key(key: JWK) -> dict[str, str]:
    """The public key, in the form that platforms expect."""
    return dict(Registration.get_jwk(key.export_to_pem().decode()))


def registration(folder: Path) -> tuple[Platform, Registration]:
    """The platform, and its registration for pylti1p3.

    Raises:
        UserError: if a required field is not set yet.
    """
    platform = platform_of(folder)
    if platform.lacking:
        raise UserError(
            f"We don't know enough about the platform of {folder}. "
            f"`headway class lti --course {folder}` sets {', '.join(platform.lacking)}."
        )
    key = key_of(folder)
    found = Registration().set_issuer(platform.issuer).set_client_id(platform.client_id)
    found.set_auth_token_url(platform.token_url).set_auth_audience(platform.audience)
    found.set_tool_private_key(key.export_to_pem(private_key=True, password=None).decode())
    return platform, found.set_tool_public_key(key.export_to_pem().decode())
