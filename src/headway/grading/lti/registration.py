"""What a course folder knows of its platform, and the key by which the platform knows it.

    DIR/.headway/lti/platform.json      addresses, and the id that the platform gave
    DIR/.headway/lti/private-key.pem    never leaves this folder
    DIR/.headway/lti/sent.json          which scores were sent

All of it is its owner's alone.
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
    """A platform, as it describes itself to whoever registers a tool.

    Attributes:
        issuer: its name for itself, an address.
        client_id: its name for this tool.
        token_url: where it gives leave to write.
        lineitems: where this course's grade items are.
        members: where this course's class list is; empty where it tells none.
        audience: whom a request for leave names, where it is another than `token_url`.
    """

    issuer: str = ""
    client_id: str = ""
    token_url: str = ""
    lineitems: str = ""
    members: str = ""
    audience: str = ""

    @property
    def lacking(self) -> list[str]:
        """Options of `headway class lti` that are still to be given before scores can be sent."""
        return [option for name, option in OPTIONS.items() if not getattr(self, name)]


def lti_folder(folder: Path) -> Path:
    """Where all this is kept."""
    return folder / STATE / "lti"


def write_lti_file(path: Path, text: str) -> None:
    """Write one of these files, in a folder that is its owner's alone as well."""
    path.parent.parent.mkdir(exist_ok=True)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.parent.chmod(0o700)
    write_private(path, text)


def platform_of(folder: Path) -> Platform:
    """What is known of a course folder's platform so far."""
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
    """Write down what is known of the platform.

    Raises:
        UserError: if an address is none, or would send scores unencrypted.
    """
    for name in ("issuer", "token_url", "lineitems", "members"):
        if address := getattr(platform, name):
            require_safe(address)
    write_lti_file(lti_folder(folder) / "platform.json", json.dumps(asdict(platform), indent=2))


def require_safe(address: str) -> None:
    """See to it that an address is one of the web, and encrypted unless it is this machine's.

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
    """The course folder's own key; made the first time.

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
    """A key's public half, as platforms take it."""
    return dict(Registration.get_jwk(key.export_to_pem().decode()))


def registration(folder: Path) -> tuple[Platform, Registration]:
    """The platform, and what pylti1p3 needs to know of it.

    Raises:
        UserError: if something of it is not set yet.
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
