"""Digests that identify submissions, graded notebooks and the code that graded them."""

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import headway
from headway.errors import DISTRIBUTION

PACKAGES = (DISTRIBUTION, "numpy", "torch")


def digest_of(parts: Iterable[str | bytes]) -> str:
    """One digest of several texts or files; it depends on their boundaries as well."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(part).to_bytes(8, "big") + content)
    return digest.hexdigest()


def text_digest(text: str) -> str:
    """The digest of a text, equal to that of a UTF-8 file with this text."""
    return hashlib.sha256(text.encode()).hexdigest()


def code_digest() -> str:
    """A digest of this package's code, and of the versions of Python and the libraries."""
    root = Path(headway.__file__).parent
    return digest_of(
        [packages_digest(), *(path.read_bytes() for path in sorted(root.rglob("*.py")))]
    )


def packages_digest() -> str:
    """A digest of the versions of Python and of the libraries that answers use."""
    versions = [platform.python_version()]
    for name in PACKAGES:
        try:
            versions.append(version(name))
        except PackageNotFoundError:  # a checkout that was not installed
            versions.append("")
    return digest_of(versions)
