"""What the course's extras bring: requirements, and which of them are met here."""

import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from headway.checkout import checkout
from headway.errors import DISTRIBUTION


def requirements() -> list[tuple[Requirement, str]]:
    """All requirements of the course, each with its extra; "" for those of the base.

    They are the checkout's where there is one: it may have changed since it was installed.
    """
    if root := checkout():
        return _in_project(root / "pyproject.toml")
    found = [Requirement(line) for line in metadata.requires(DISTRIBUTION) or []]
    return [(requirement, _extra_of(requirement)) for requirement in found]


def course_version() -> str:
    """The version of the course itself, of the checkout where there is one."""
    if root := checkout():
        return _project(root / "pyproject.toml")["version"]
    return metadata.version(DISTRIBUTION)


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


def _in_project(file: Path) -> list[tuple[Requirement, str]]:
    """The same as pyproject.toml has it."""
    project = _project(file)
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return [(Requirement(line), extra) for extra, lines in groups.items() for line in lines]


def _project(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))["project"]


def _extra_of(requirement: Requirement) -> str:
    """The extra that a requirement belongs to, out of its marker, `extra == "book"`."""
    marker = str(requirement.marker or "")
    return marker.split('"')[1] if marker.startswith("extra ==") else ""
