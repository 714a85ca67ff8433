"""What the course's extras bring: requirements, and which of them are not met here."""

from importlib import metadata

from packaging.requirements import Requirement


def requirements() -> list[tuple[Requirement, str]]:
    """All requirements of the course, each with its extra; "" for those of the base."""
    found = [Requirement(line) for line in metadata.requires("headway") or []]
    return [(requirement, _extra_of(requirement)) for requirement in found]


def installed(requirement: Requirement) -> str:
    """The version of a package that is installed; empty if none is."""
    try:
        return metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return ""


def is_met(requirement: Requirement) -> bool:
    """Whether a version is installed that will do."""
    version = installed(requirement)
    return bool(version) and requirement.specifier.contains(version, prereleases=True)


def lacking(extra: str) -> list[str]:
    """What is to be installed for the base and an extra, as pip takes it: "torch>=2.6,<3"."""
    found = []
    for requirement, belongs in requirements():
        if belongs in ("", extra) and not is_met(requirement):
            requirement.marker = None
            found.append(str(requirement))
    return found


def _extra_of(requirement: Requirement) -> str:
    """The extra that a requirement belongs to, out of its marker, `extra == "book"`."""
    marker = str(requirement.marker or "")
    return marker.split('"')[1] if marker.startswith("extra ==") else ""
