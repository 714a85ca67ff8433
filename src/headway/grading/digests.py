"""Digests by which it is known again what was handed in, graded or kept, and by what."""

import hashlib
import platform
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import headway
from headway.errors import DISTRIBUTION

PACKAGES = (DISTRIBUTION, "numpy", "torch")


def digest_of(parts: Iterable[str | bytes]) -> str:
    """One digest of several texts or files; where one ends and the next begins counts, too."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(part).to_bytes(8, "big") + content)
    return digest.hexdigest()


def text_digest(text: str) -> str:
    """The digest of one text: that of the file that holds it."""
    return hashlib.sha256(text.encode()).hexdigest()


def code_digest() -> str:
    """A digest of all code of ours, and of the versions of what it computes with."""
    root = Path(headway.__file__).parent
    return digest_of(
        [packages_digest(), *(path.read_bytes() for path in sorted(root.rglob("*.py")))]
    )


def packages_digest() -> str:
    """A digest of the versions of what answers are computed with."""
    versions = [platform.python_version()]
    for name in PACKAGES:
        try:
            versions.append(version(name))
        except PackageNotFoundError:  # a checkout that was not installed
            versions.append("")
    return digest_of(versions)
