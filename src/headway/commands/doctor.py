"""`headway doctor`: what is installed, what is missing, and the command that mends it."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from headway.chapters import hidden_modules
from headway.commands.console import out, say
from headway.editions.browser import VARIABLE, NoBrowserError, find_browser
from headway.errors import (
    DISTRIBUTION,
    NOT_PASSED,
    PASSED,
    UserError,
    install_command,
    quoted,
)
from headway.grading.safe_text import listed
from headway.grading.sandbox.bubblewrap import INSTALL, how_to_mend, is_root, try_sandbox
from headway.grading.sandbox.cgroups import START, NotDelegated, find_delegated

PYTHON = (3, 11)
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
APT = "sudo apt-get install "
EXTRAS_ARE_FOR = {
    "": "everything",
    "kernel": "figures in notebooks",
    "notebook": "the notebooks",
    "grade": "grading",
    "hub": "a hub",
    "lti": "sending scores to a platform",
    "book": "building the book",
    "paper": "the book as PDF and EPUB",
    "bleu": "the BLEU score",
    "models": "running published models",
    "test": "the tests",
}
EXTRAS = list(EXTRAS_ARE_FOR)
NEEDS = {  # what each needs; whoever comes later, what those before do, too
    "student": {"everything", "figures in notebooks", "the notebooks", "speed"},
    "instructor": {"grading", "sandboxed grading", "limits held by the kernel"},
    "author": {
        *("a hub", "sending scores to a platform", "building the book"),
        *("the book as PDF and EPUB", "the BLEU score"),
        *("headway book --pdf", "running published models", "the tests"),
    },
}
Whom = StrEnum("Whom", list(NEEDS))
ARTICLES = {"student": "a student", "instructor": "an instructor", "author": "an author"}
# A package of an extra that nothing else brings says for whom this was installed.
TELLING = {"author": "pytest", "instructor": "distributed"}


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Attributes:
        what: its name.
        found: what there is; empty if nothing is.
        mend: the command that puts it right; None if it is right.
        needed: for what; "everything" makes its lack a failure.
        advice: how there could be more; a sentence.
    """

    what: str
    found: str
    mend: str | None = None
    needed: str = "everything"
    advice: str | None = None


def doctor(
    whom: Annotated[
        Whom | None,
        typer.Option("--for", help="Check what this person needs; guessed if left out."),
    ] = None,
) -> int:
    """Say what is installed, what is missing, and how to get it."""
    guessed, whom = whom is None, whom or _installed_for()
    needed = _needs(whom)
    findings = [*_python(), *_packages(), *_device(), *_jupyter(), *_system()]
    findings = [finding for finding in findings if finding.needed in needed]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("", "what", "found", "needed for"):
        table.add_column(name, overflow="fold")
    for finding in findings:
        mark, style = ("✓", "green") if finding.mend is None else ("✗", "red")
        if finding.advice:
            mark, style = "–", "yellow"
        table.add_row(Text(mark, style), finding.what, finding.found or "missing", finding.needed)
    out.print(table, soft_wrap=False)
    mends = dict.fromkeys(finding.mend for finding in findings if finding.mend)
    for mend in mends:
        say(f"To mend: {mend}")
    for finding in findings:
        if finding.advice:
            say(finding.advice)
    if not mends:
        say(f"Everything {ARTICLES[whom]} needs is there.")
    if guessed:
        others = "|".join(one for one in NEEDS if one != whom)
        say(f"This was for {ARTICLES[whom]}; for others: headway doctor --for {others}")
    broken = any(finding.mend and finding.needed == "everything" for finding in findings)
    return NOT_PASSED if broken else PASSED


def _installed_for() -> str:
    return next((whom for whom, package in TELLING.items() if find_spec(package)), "student")


def _needs(whom: str) -> set[str]:
    """For what something is looked at."""
    names = list(NEEDS)
    return set().union(*(NEEDS[name] for name in names[: names.index(whom) + 1]))


def _python() -> Iterator[Finding]:
    mend = None if sys.version_info >= PYTHON else APT + "python3.11 python3.11-venv"
    yield Finding("Python", f"{platform.python_version()} ({sys.executable})", mend)


def _packages() -> Iterator[Finding]:
    """The course itself, and the requirements of each extra against what is installed."""
    from headway.extras import course_version, installed, is_met, requirements

    yield Finding(DISTRIBUTION, course_version())
    seen = {DISTRIBUTION}
    for requirement, extra in sorted(requirements(), key=lambda one: EXTRAS.index(one[1])):
        if requirement.name in seen:
            continue
        seen.add(requirement.name)
        version, good = installed(requirement), is_met(requirement)
        found = version if good or not version else f"{version}, needs {requirement.specifier}"
        mend = None if good else install_command(extra)
        yield Finding(requirement.name, found, mend, EXTRAS_ARE_FOR[extra])


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
    yield _printing_browser()
    if platform.system() != "Linux":
        mend = "call headway grade on Linux (on Windows, in WSL 2)"
        yield Finding("Linux", platform.system(), mend, "sandboxed grading")
        return
    sandbox = shutil.which("bwrap") or ""
    if not sandbox:
        yield Finding("sandbox (bubblewrap)", "", INSTALL, "sandboxed grading")
        return
    trouble = try_sandbox(sandbox)
    found = f"{sandbox} does not work here: {trouble}" if trouble else sandbox
    mend = how_to_mend(trouble) if trouble else None
    yield Finding("sandbox (bubblewrap)", found, mend, "sandboxed grading")
    yield _control_groups()
    if find_spec("nbgrader"):
        yield from _nbgrader()
    add = f"to add one: {quoted(sys.executable)} -m pip install NAME"
    yield Finding("packages for submissions", f"those of {sys.prefix}; {add}", None, "grading")


def _nbgrader() -> Iterator[Finding]:
    """Whether nbgrader's own commands leave the sandbox, anywhere and in this course folder."""
    from headway.grading.nbgrader.own_commands import are_guarded, what_they_lack
    from headway.grading.settings import holds_a_course

    what, needed, here = "nbgrader's own commands", "sandboxed grading", Path.cwd()
    try:
        found = "run no submission outside of the sandbox" if are_guarded() else ""
        mend = None if found else install_command("grade")
        yield Finding(what, found or "may run submissions with your rights", mend, needed)
    except UserError as error:
        yield Finding(what, str(error), f"correct that file ({what} read it)", needed)
    if not holds_a_course(here):
        return
    what = "settings of this course folder"
    try:
        lack = what_they_lack(here, hidden_modules())
    except UserError as error:
        yield Finding(what, str(error), f"correct {here / 'nbgrader_config.py'}", needed)
        return
    found = f"lack {listed(lack, 1)}" if lack else "complete: nbgrader, too, grades in the sandbox"
    yield Finding(what, found, "headway class" if lack else None, needed)


def _printing_browser() -> Finding:
    """What `headway book --pdf` prints with; it may have another name than the tests expect."""
    try:
        found, mend = find_browser(), None
    except NoBrowserError:
        found, mend = "", APT + "chromium"
        if named := os.environ.get(VARIABLE):
            found = f"{VARIABLE} names {named!r}, which is no program"
            mend = f"name a browser's program in {VARIABLE}, or unset it"
    return Finding("browser that prints", found, mend, "headway book --pdf")


def _control_groups() -> Finding:
    """Who holds a sandbox to its limits: the kernel, or who measures it."""
    what, needed = "control groups for it", "limits held by the kernel"
    try:
        given = find_delegated().controllers
    except NotDelegated as reason:
        found = f"none: {reason}; sandboxes are measured from outside instead"
        start = START.replace(" --user", "") if is_root() else START
        advice = (
            f"For limits that the kernel holds, start grading with: {start} headway grade … "
            f"(with headway doctor in its place, this row tells whether that works here)."
        )
        return Finding(what, found, None, needed, advice)
    return Finding(what, f"given to this process: {', '.join(given)}", None, needed)
