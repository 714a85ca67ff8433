"""`headway hub`: a classroom on this machine, and for a demonstration, who sits in it."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headway.checkout import checkout
from headway.commands.console import err, note, say
from headway.errors import UserError, needs_extra, require_linux
from headway.grading.hub.settings import COURSE, COURSE_ID, EXCHANGE, PROXY, SETTINGS, proxy_command

if TYPE_CHECKING:
    from headway.grading.hub.classroom import Account

CONFIG = "jupyterhub_config.py"
PROXY_PACKAGE = "configurable-http-proxy@>=4.6 <6"
FIRST = "01-one-hot"  # what the students of a demonstration find in the exchange


def hub(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="The classroom's folder; made the first time.")
    ],
    demo: Annotated[
        bool, typer.Option("--demo", help="Make accounts for a teacher and two students.")
    ] = False,
    teacher: Annotated[
        str | None, typer.Option(metavar="ACCOUNT", help="Who teaches; needed for a new classroom.")
    ] = None,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Address in browsers, for a new classroom.")
    ] = "http://127.0.0.1:8000",
) -> int:
    """Run a JupyterHub with the assignments, nbgrader's exchange, the formgrader and the book."""
    require_linux("headway hub")
    from headway.grading.hub.accounts import (
        STUDENTS,
        TEACHER,
        account,
        make_demo_accounts,
        removing_command,
    )
    from headway.grading.hub.classroom import make_classroom, require_reachable

    with needs_extra("hub", "headway hub"):
        import jupyterhub  # noqa: F401 - whether it is there
    if os.getuid() != 0:
        raise UserError(
            "A hub starts each person's server under that person's account, and only root may do "
            f"that. Run it as root: sudo {sys.argv[0]} hub {folder}"
        )
    is_new = not (folder / CONFIG).exists()
    if is_new and not demo:
        if teacher is None:
            raise UserError(
                "A new classroom needs to know whose it is: --teacher ACCOUNT, or --demo."
            )
        account(teacher)
    # What can be lacking is looked for before accounts are made.
    require_reachable(folder)
    provide_proxy(folder)
    if demo:
        password, teacher = make_demo_accounts(), TEACHER
    if is_new:
        for made in make_classroom(folder, account(teacher), address):
            note(f"made {made}")
    if demo:
        _hand_out(folder, FIRST, account(teacher))
        say(f"Teacher: {TEACHER}. Students: {', '.join(STUDENTS)}. Password of all: {password}")
        note(f"To remove these accounts: {removing_command()}")
    if solutions := open_solutions():
        note(f"Students can read the solutions of this checkout. Close them: chmod 700 {solutions}")
    say(f"Stop with Ctrl-C. Who may log in, and at which address: {folder / CONFIG}")
    hub = [sys.executable, "-m", "jupyterhub", "-f", str((folder / CONFIG).resolve())]
    sys.stdout.flush()
    os.chdir(folder)
    os.execve(hub[0], hub, _environment())  # from here on signals are JupyterHub's


def open_solutions() -> Path | None:
    """The folder of this checkout's solutions, if other accounts than root's get into it."""
    root = checkout()
    solutions = root and root / "solutions"
    if solutions and solutions.is_dir() and solutions.stat().st_mode & stat.S_IXOTH:
        return solutions
    return None


def _environment() -> dict[str, str]:
    """With the programs of this Python's environment first, Node.js among them."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path}


def provide_proxy(folder: Path) -> None:
    """Let npm bring the proxy that JupyterHub needs, once, if it is not on this machine."""
    if proxy_command(folder):
        return
    npm = shutil.which("npm", path=_environment()["PATH"])
    if npm is None:
        raise UserError(
            "JupyterHub needs the program configurable-http-proxy, which comes by npm. Install "
            "Node.js, then: npm install -g configurable-http-proxy"
        )
    (folder / PROXY).mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-fund", "--no-audit", "--prefix", PROXY, PROXY_PACKAGE]
    with err.status("getting the proxy from npm"):
        done = subprocess.run(
            command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False
        )
    if done.returncode or not proxy_command(folder):
        why = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise UserError(f"npm could not install configurable-http-proxy: {why[0]}")


def _hand_out(folder: Path, name: str, teacher: "Account") -> None:
    """Generate and release an assignment as the teacher, unless it is in the exchange."""
    if (folder / EXCHANGE / COURSE_ID / "outbound" / name).exists():
        return
    # Nothing else of root's environment is for the teacher's programs.
    environment = {
        "JUPYTER_CONFIG_PATH": str(folder.resolve() / SETTINGS / "teacher"),
        "PATH": _environment()["PATH"],
        "HOME": "/nonexistent",
    }
    for step in ("generate_assignment", "release_assignment"):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", step, name],
            cwd=folder / COURSE,
            env=environment,
            user=teacher.uid,
            group=teacher.gid,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise UserError(f"nbgrader {step} {name} failed: {done.stderr.strip()}")
