"""System accounts of a classroom: looked up, and made for a demonstration."""

import pwd
import secrets
import subprocess

from headway.errors import UserError
from headway.grading.hub.classroom import Account

TEACHER, STUDENTS = "demo-teacher", ("demo-ada", "demo-emmy")
# What somebody is writing at home is for nobody else.
ADD_ACCOUNT = ["useradd", "--create-home", "--key", "HOME_MODE=0700", "--shell", "/bin/bash"]
MARK = "Headway demo"  # in the accounts' comment, by which they are known again


def account(name: str) -> Account:
    """The account of this machine that has a name.

    Raises:
        UserError: if there is none.
    """
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        raise UserError(
            f"This machine has no account {name!r}. Make it with `useradd --create-home {name}`, "
            "or name another."
        ) from None
    return Account(name, found.pw_uid, found.pw_gid)


def make_demo_accounts() -> str:
    """Make a teacher and two students, or take those of an earlier demonstration.

    Returns:
        the password of all three, a new one.

    Raises:
        UserError: if an account of such a name belongs to somebody else.
    """
    password = secrets.token_urlsafe(9)
    for name in (TEACHER, *STUDENTS):
        try:
            if pwd.getpwnam(name).pw_gecos.split(",")[0] != MARK:
                raise UserError(
                    f"The account {name!r} was there before, and is no demonstration's."
                )
        except KeyError:
            _run([*ADD_ACCOUNT, "--comment", MARK, name])
        _run(["chpasswd"], f"{name}:{password}\n")
    return password


def removing_command() -> str:
    """The command that takes the accounts of a demonstration away."""
    return f"for name in {TEACHER} {' '.join(STUDENTS)}; do userdel --remove $name; done"


def _run(command: list[str], text: str = "") -> None:
    try:
        subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    except FileNotFoundError as error:
        raise UserError(f"The program {command[0]!r} is not on this machine.") from error
    except subprocess.CalledProcessError as error:
        raise UserError(f"{' '.join(command)} failed: {error.stderr.strip()}") from error
