"""`headway doctor`: what is installed, what is missing, and the command that mends it."""

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

from packaging.requirements import Requirement
from rich.table import Table
from rich.text import Text

from headway.commands.console import out, say
from headway.errors import NOT_PASSED, PASSED, install_command
from headway.grading.sandbox.bubblewrap import INSTALL, how_to_mend, try_sandbox

PYTHON = (3, 11)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
APT = "sudo apt-get install "
EXTRAS_ARE_FOR = {
    "": "everything",
    "notebook": "the notebooks",
    "grade": "grading",
    "book": "building the book",
    "bleu": "the BLEU score",
    "models": "running published models",
    "test": "the tests",
}
EXTRAS = list(EXTRAS_ARE_FOR)


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Attributes:
        what: its name.
        found: what there is; empty if nothing is.
        mend: the command that puts it right; None if it is right.
        needed: for what; "everything" makes its lack a failure.
    """

    what: str
    found: str
    mend: str | None = None
    needed: str = "everything"


def run() -> int:
    """Print the findings; the exit code says whether the base is there."""
    findings = [*_python(), *_packages(), *_device(), *_jupyter(), *_system()]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "what", "found", "needed for"):
        table.add_column(name, overflow="fold")
    for finding in findings:
        mark, style = ("✓", "green") if finding.mend is None else ("✗", "red")
        table.add_row(Text(mark, style), finding.what, finding.found or "missing", finding.needed)
    out.print(table, soft_wrap=False)
    mends = dict.fromkeys(finding.mend for finding in findings if finding.mend)
    for mend in mends:
        say(f"To mend: {mend}")
    if not mends:
        say("Everything is there.")
    broken = any(finding.mend and finding.needed == "everything" for finding in findings)
    return NOT_PASSED if broken else PASSED


def _python() -> Iterator[Finding]:
    mend = None if sys.version_info >= PYTHON else APT + "python3.11 python3.11-venv"
    yield Finding("Python", f"{platform.python_version()} ({sys.executable})", mend)


def _packages() -> Iterator[Finding]:
    """The requirements of each extra against the versions that are installed."""
    requirements = [Requirement(line) for line in metadata.requires("headway") or []]
    seen = {"headway"}
    for requirement in sorted(requirements, key=lambda one: EXTRAS.index(_extra_of(one))):
        if requirement.name in seen:
            continue
        seen.add(requirement.name)
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            version = ""
        good = version and requirement.specifier.contains(version, prereleases=True)
        found = version if good or not version else f"{version}, needs {requirement.specifier}"
        extra = _extra_of(requirement)
        mend = None if good else install_command(extra)
        yield Finding(requirement.name, found, mend, EXTRAS_ARE_FOR[extra])


def _extra_of(requirement: Requirement) -> str:
    """The extra that a requirement belongs to, out of its marker, `extra == "book"`."""
    marker = str(requirement.marker or "")
    return marker.split('"')[1] if marker.startswith("extra ==") else ""


def _device() -> Iterator[Finding]:
    if find_spec("torch") is None:
        return
    import torch

    if torch.cuda.is_available():
        device = f"cuda: {torch.cuda.get_device_name()}"
    elif torch.backends.mps.is_available():
        device = "mps: the Mac's own"
    else:
        device = f"cpu, {torch.get_num_threads()} threads (the course needs no more)"
    yield Finding("device for torch", device, None, "speed")


def _jupyter() -> Iterator[Finding]:
    pip = install_command("notebook")
    if find_spec("jupyter_client") is None:
        yield Finding("kernel python3", "", pip, "the notebooks")
        return
    from jupyter_client.kernelspec import KernelSpecManager

    folder = KernelSpecManager().find_kernel_specs().get("python3", "")
    mend = None if folder else f"{sys.executable} -m ipykernel install --sys-prefix"
    yield Finding("kernel python3", folder, mend, "the notebooks")


def _system() -> Iterator[Finding]:
    browser = next(filter(None, map(shutil.which, CHROMIUM)), "")
    yield Finding("Chromium", browser, None if browser else APT + "chromium", "the tests")
    sandbox = shutil.which("bwrap") or ""
    if not sandbox:
        yield Finding("sandbox (bubblewrap)", "", INSTALL, "sandboxed grading")
        return
    trouble = try_sandbox(sandbox)
    found = f"{sandbox} does not work here: {trouble}" if trouble else sandbox
    mend = how_to_mend(trouble) if trouble else None
    yield Finding("sandbox (bubblewrap)", found, mend, "sandboxed grading")
