"""The folder of a classroom: made once, and from then on the instructor's."""

import json
import os
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from headway.chapters import ASSIGNMENTS, released_notebook, solution_notebook
from headway.errors import UserError
from headway.grading.hub.settings import COURSE, COURSE_ID, EXCHANGE, SETTINGS, STATE
from headway.nbgrader_config import COURSE_CONFIG

TEMPLATES = Path(__file__).parent / "templates"
NBGRADER = "nbgrader.server_extensions"
# What only a teacher has a use for; each name is one of the server's and one of JupyterLab's parts.
FOR_TEACHERS = {
    f"{NBGRADER}.formgrader": "@jupyter/nbgrader:formgrader",
    f"{NBGRADER}.course_list": "@jupyter/nbgrader:course-list",
}
NO_NEWS = {
    "LabApp": {"news_url": None, "check_for_updates_class": "jupyterlab.NeverCheckForUpdate"}
}
QUESTION_ABOUT_NEWS = "@jupyterlab/apputils-extension:announcements"
# JupyterLab shows the formgrader in a frame, which JupyterHub forbids unless it is told otherwise.
POLICY = {"Content-Security-Policy": "frame-ancestors 'self'"}
IN_A_FRAME = {"ServerApp": {"tornado_settings": {"headers": POLICY}}, **NO_NEWS}
EVERYONE, OWNER = 0o755, 0o700
ADDRESS = "http://127.0.0.1:8000"


@dataclass(frozen=True)
class Account:
    """A system account.

    Attributes:
        name: by which its owner logs in.
        uid, gid: its numbers.
    """

    name: str
    uid: int
    gid: int


def make_classroom(folder: Path, teacher: Account, address: str = ADDRESS) -> list[str]:
    """Make what is not there yet of a classroom; what is there stays as it is.

    Args:
        folder: of the classroom.
        teacher: whose course folder and exchange it is.
        address: where browsers find it.

    Returns:
        what was made, in words.

    Raises:
        UserError: if other accounts could not use it (`require_reachable`).
    """
    require_reachable(folder)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(EVERYONE)
    (folder / STATE).mkdir(mode=OWNER, exist_ok=True)
    hub = _template("jupyterhub_config.py").replace('"NAME"', f'"{teacher.name}"')
    made = _write(folder / "jupyterhub_config.py", hub.replace(ADDRESS, address))
    made += write_settings(folder)
    made += make_course(folder / COURSE, teacher)
    made += make_exchange(folder / EXCHANGE, teacher)
    return made


def require_reachable(folder: Path) -> None:
    """See to it that other accounts get to a folder, if it is made, and to this Python's programs.

    Raises:
        UserError: if they do not.
    """
    package = Path(__file__).resolve().parents[1]
    programs = Path(sys.prefix), Path(sys.executable).resolve(), package
    for place in (folder.resolve().parent, *programs):
        for part in (*reversed(place.parents), place):
            if part.exists() and not part.stat().st_mode & stat.S_IXOTH:
                raise UserError(
                    "Students' servers run under other accounts, and those can't get to "
                    f"{place}, because {part} is closed to them. Put the course, its Python and "
                    "the classroom where everyone may read, such as /opt or /srv."
                )


def _write(path: Path, text: str) -> list[str]:
    """Write a file that is not there yet."""
    if path.exists():
        return []
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)
    return [str(path)]


def _template(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def write_settings(folder: Path) -> list[str]:
    """What Jupyter and nbgrader read in the servers; gives what was not there."""
    return [path for who in ("teacher", "student") for path in _write_settings(folder, who)]


def _write_settings(folder: Path, who: str) -> list[str]:
    own = folder / SETTINGS / who
    made = _write(own / "nbgrader_config.py", _template(f"{who}_nbgrader_config.py"))
    hidden = [QUESTION_ABOUT_NEWS]
    if who == "teacher":
        made += _write(own / "jupyter_server_config.json", json.dumps(IN_A_FRAME, indent=2))
    else:
        off = {"ServerApp": {"jpserver_extensions": dict.fromkeys(FOR_TEACHERS, False)}, **NO_NEWS}
        made += _write(own / "jupyter_server_config.json", json.dumps(off, indent=2))
        hidden += FOR_TEACHERS.values()
    page = {"disabledExtensions": dict.fromkeys(hidden, True)}
    return made + _write(own / "labconfig" / "page_config.json", json.dumps(page, indent=2))


def make_course(course: Path, teacher: Account) -> list[str]:
    """The course folder with all assignments: solutions, or what is handed out where none are.

    Returns:
        its path, if it was not there.
    """
    if course.exists():
        return []
    course.mkdir(mode=OWNER)
    for chapter in ASSIGNMENTS:
        solution = solution_notebook(chapter)
        if solution and solution.is_file():
            shutil.copytree(solution.parent, course / "source" / chapter.name)
        else:
            shutil.copytree(released_notebook(chapter).parent, course / "release" / chapter.name)
    (course / "nbgrader_config.py").write_text(COURSE_CONFIG, encoding="utf-8")
    for path in (course, *course.rglob("*")):
        _give(path, teacher)
    return [str(course)]


def make_exchange(exchange: Path, teacher: Account) -> list[str]:
    """nbgrader's exchange, with this course's part in it.

    Who makes that part owns it, so it is not left to the first who comes.

    Returns:
        its path, if something of it was not there.
    """
    # nbgrader wants it writable for everyone; what others put there, nobody may take away.
    places = {"": 0o777, COURSE_ID: 0o755}
    places |= {f"{COURSE_ID}/outbound": 0o755, f"{COURSE_ID}/inbound": stat.S_ISGID | 0o733}
    missing = {name: mode for name, mode in places.items() if not (exchange / name).exists()}
    for name, mode in missing.items():
        place = exchange / name
        place.mkdir()
        _give(place, teacher)
        place.chmod(mode | (stat.S_ISVTX if mode & stat.S_IWOTH else 0))
    return [str(exchange)] if missing else []


def _give(path: Path, account: Account) -> None:
    if os.getuid() == 0:
        os.chown(path, account.uid, account.gid)
