"""constraints.txt: one list of versions that installs on every Python that the package allows.

The short run reads the metadata of the installed distributions. It cannot know what a
distribution that is not installed here demands, nor whether a wheel exists; the full run asks the
package index for both.
"""

import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.full import FULL

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COURSE = PROJECT["name"]
# The oldest release of each minor version: what it accepts, the later ones accept.
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")
HERE = "{}.{}.{}".format(*sys.version_info)
# Only PyPI's torch brings these, not the CPU build; it names their versions itself.
CUDA = re.compile("cuda-|nvidia-|triton$")
on_each_python = pytest.mark.parametrize("python", PYTHONS)


def environment(python: str) -> dict[str, str]:
    """What environment markers see on that Python."""
    return {"python_full_version": python, "python_version": python.rpartition(".")[0]}


def pins(python: str) -> dict[str, Version]:
    """The version of each name in constraints.txt that holds on that Python."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = {}
    for pin in [Requirement(line) for line in lines if not line.startswith("#")]:
        if pin.marker is None or pin.marker.evaluate(environment(python)):
            name = canonicalize_name(pin.name)
            assert name not in found, f"{name} is pinned twice on Python {python}."
            (version,) = pin.specifier
            assert version.operator == "==", f"{pin} is no pin."
            found[name] = Version(version.version)
    return found


def requirements_of(name: str, extra: str) -> list[str]:
    """What a distribution demands; nothing is known of one that only another Python needs."""
    if name == COURSE:
        return PROJECT["optional-dependencies"][extra] if extra else PROJECT["dependencies"]
    try:
        return metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []


@cache
def demands(python: str) -> dict[str, list[Requirement]]:
    """All that the extra `test` installs on that Python: by name, what is demanded of it."""
    found = defaultdict(list)
    followed = set()
    waiting = [Requirement(f"{COURSE}[test]")]
    while waiting:
        demanded = waiting.pop()
        name = canonicalize_name(demanded.name)
        found[name].append(demanded)
        for extra in {"", *demanded.extras} - {extra for of, extra in followed if of == name}:
            followed.add((name, extra))
            seen = environment(python) | {"extra": extra}
            lines = map(Requirement, requirements_of(name, extra))
            waiting += [one for one in lines if one.marker is None or one.marker.evaluate(seen)]
    return {name: of_it for name, of_it in found.items() if name != COURSE and not CUDA.match(name)}


def test_what_is_pinned_is_what_is_installed():
    """Else the tests below would read the metadata of other versions."""
    assert PROJECT["requires-python"] == ">=" + PYTHONS[0].removesuffix(".0")
    others = {
        name: f"{metadata.version(name)} is installed, {pin} is pinned: make setup"
        for name, pin in pins(HERE).items()
        if name in demands(HERE) and Version(metadata.version(name)).public != pin.public
    }
    assert others == {}


@on_each_python
def test_all_that_is_installed_is_pinned_to_a_version_that_is_accepted(python):
    pinned, demanded = pins(python), demands(python)
    assert sorted(demanded.keys() - pinned.keys()) == []
    refused = [
        f"{one}, {pinned[name]} is pinned"
        for name, of_it in demanded.items()
        for one in of_it
        if not one.specifier.contains(pinned[name], prereleases=True)
    ]
    assert refused == []


@on_each_python
def test_each_pin_accepts_the_python(python):
    needed = demands(python).keys() & {canonicalize_name(d.name) for d in metadata.distributions()}
    accepted = {name: metadata.metadata(name).get("Requires-Python", "") for name in needed}
    assert {n: p for n, p in accepted.items() if not SpecifierSet(p).contains(python)} == {}


def test_no_pin_is_left_that_nothing_needs():
    needed = set().union(*map(demands, PYTHONS))
    pinned = set().union(*map(pins, PYTHONS))
    assert sorted(pinned - needed) == []


@pytest.fixture(scope="module")
def uv(tmp_path_factory) -> Path:
    """A resolver that answers for other Pythons than this one; pip takes this one's markers."""
    folder = tmp_path_factory.mktemp("uv")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "uv>=0.13,<1"]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"No package index can be asked: {done.stderr.strip().splitlines()[-1]}")
    return folder / "bin" / "uv"


@pytest.mark.skipif(not FULL, reason="asks the package index, for minutes: make test-full")
@on_each_python
def test_the_package_index_has_wheels_of_all_pins(uv, python):
    done = subprocess.run(
        [
            *(uv, "pip", "compile", "pyproject.toml", "--extra", "test", "-c", "constraints.txt"),
            *("--python-version", python, "--python-platform", "x86_64-manylinux_2_28"),
            *("--only-binary", ":all:", "--no-emit-package", COURSE),
            *("--no-config", "--no-header", "--no-annotate", "--quiet"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if "Failed to fetch" in done.stderr:
        pytest.skip(f"The package index did not answer: {done.stderr}")
    assert done.returncode == 0, done.stderr
    resolved = [Requirement(line) for line in done.stdout.splitlines() if line[:1].isalnum()]
    assert len(resolved) > 100
    unpinned = {canonicalize_name(one.name) for one in resolved} - pins(python).keys()
    assert sorted(name for name in unpinned if not CUDA.match(name)) == []
