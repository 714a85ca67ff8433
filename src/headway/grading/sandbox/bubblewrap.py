"""Check whether bubblewrap is installed and works, and suggest a command to repair it.

    python -m headway.grading.sandbox.bubblewrap

prints nothing if it works. Otherwise it prints the reason, and exits with code 1.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from headway.errors import UserError

INSTALL = "sudo apt-get install bubblewrap"
NOBODY = 65534
AS_NOBODY = (
    *("/usr/bin/setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
    *("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", "--"),
)
# A container by default hides parts of /proc, so that no process in it may mount its own /proc, and
# forbids system calls that the sandbox needs.
PODMAN = "podman run --security-opt seccomp=unconfined --security-opt 'unmask=/proc/*'"
DOCKER = "docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined"
RESTRICTIONS = [
    ("kernel.apparmor_restrict_unprivileged_userns", "0"),
    ("kernel.unprivileged_userns_clone", "1"),
]


def find_bubblewrap() -> str:
    """The path of the program.

    Raises:
        UserError: if it is not installed.
    """
    program = shutil.which("bwrap")
    if not program:
        raise UserError(
            "There is no bubblewrap on this system, and without it we don't run strangers' code. "
            f"Install it: {INSTALL}. If you would run every submission yourself, with your "
            "rights, use --trust-submissions."
        )
    return program


def try_sandbox(program: str) -> str | None:
    """Try bubblewrap with new namespaces, not as root; return its error message, if any."""
    # A container may forbid a hostname and a new /proc, so both are tried.
    command = [program, "--unshare-all", "--unshare-user", "--disable-userns"]
    command += ["--hostname", "headway", "--ro-bind", "/", "/", "--proc", "/proc", "--", "true"]
    unprivileged = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root() else {}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=20, check=False, **unprivileged
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else last_line(done.stderr, done.returncode)


def require_sandbox() -> None:
    """Make sure that the sandbox works on this system.

    Raises:
        UserError: if not; the message has the reason, and a command to repair it.
    """
    trouble = try_sandbox(find_bubblewrap())
    if trouble:
        raise UserError(
            "The sandbox doesn't start here, and without it we don't run strangers' code: "
            f"{trouble}. To mend: {how_to_mend(trouble)}. If you would run every submission "
            "yourself, with your rights, use --trust-submissions."
        )


def last_line(errors: str, code: int | None) -> str:
    """The last line of a program's error messages, or its exit code if there are none."""
    return (errors.strip() or f"exit code {code}").splitlines()[-1]


def refusal(errors: str, code: int | None) -> UserError:
    """The error for the user if the sandbox does not start.

    Args:
        errors: bubblewrap's standard error.
        code: its exit code.
    """
    trouble = last_line(errors, code)
    return UserError(
        f"The sandbox does not start here: {trouble}. To mend: {how_to_mend(trouble)}. "
        "`headway doctor` tells whether it worked."
    )


def how_to_mend(trouble: str) -> str:
    """The command that most likely lets the sandbox start."""
    if "nknown option" in trouble:
        return f"{INSTALL} (version 0.8 or newer; Debian 12 and Ubuntu 24.04 have it)"
    for name, value in RESTRICTIONS:
        setting = Path("/proc/sys", *name.split("."))
        if setting.exists() and setting.read_text().strip() != value:
            return f"sudo sysctl -w {name}={value}"
    return f"start the container with: {PODMAN} … or: {DOCKER} …"


def is_root() -> bool:
    """Whether this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


if __name__ == "__main__":
    try:
        require_sandbox()
    except UserError as error:
        sys.exit(str(error))
