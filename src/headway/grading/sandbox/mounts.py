"""The files that a program in the sandbox can see: a list of read-only mounts, and no others."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import headway

HOME = "/home/student"
PRIVATE_FOLDERS = ("/tmp", "/dev/shm", HOME)
PYTHON_PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")
SYSTEM = (
    *(
        "/usr/bin",
        "/usr/lib",
        "/usr/lib32",
        "/usr/lib64",
        "/usr/share/fonts",
        "/usr/share/zoneinfo",
    ),
    *("/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime"),
)
SYSTEM_LINKS = ("/bin", "/lib", "/lib32", "/lib64")
# One thread per library: a process that has computed with several cannot be forked.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class View:
    """What a sandbox can see, besides empty private folders for /tmp, /dev/shm and the home.

    Attributes:
        mounts: (outside, inside) paths of readable files and folders. A later mount covers earlier
            ones. If root grades, everyone must be allowed to read them, though not their parent
            folders.
        links: symbolic links, (inside, target).
        environment: all environment variables.
        devices: usable device files, such as a graphics card's; missing ones are skipped.
    """

    mounts: tuple[tuple[Path, Path], ...]
    links: tuple[tuple[Path, str], ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    devices: tuple[Path, ...] = ()


def student_view(package: Path, *more: tuple[Path, Path], devices: Sequence[Path] = ()) -> View:
    """This Python, its packages and the system's libraries, with the student's package.

    Args:
        package: a folder that replaces the package `headway`.
        *more: further mounts, (outside, inside).
        devices: usable device files; `graphics_cards()` for NVIDIA's.
    """
    place = Path(headway.__file__).resolve().parent
    environment = {
        "HOME": HOME,
        "USER": "student",
        "LOGNAME": "student",
        "LANG": "C.UTF-8",
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "PYTHONPATH": str(place.parent),
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # else answers that depend on a set's order have random scores
        **dict.fromkeys(ONE_THREAD, "1"),
    }
    mounts = (*_system(), *_python(), (package.resolve(), place), *more)
    return View(mounts, tuple(_links()), environment, tuple(devices))


def graphics_cards() -> tuple[Path, ...]:
    """The device files of NVIDIA's cards on this machine."""
    places = (*Path("/dev").glob("nvidia*"), *Path("/dev").glob("nvidia-caps/*"))
    return tuple(sorted(place for place in places if place.is_char_device()))


def _system() -> Iterator[tuple[Path, Path]]:
    for place in map(Path, SYSTEM):
        if place.exists():
            yield place, place
    for place in map(Path, SYSTEM_LINKS):
        if place.is_dir() and not place.is_symlink():
            yield place, place


def _links() -> Iterator[tuple[Path, str]]:
    for place in map(Path, SYSTEM_LINKS):
        if place.is_symlink():
            yield place, str(place.readlink())


def _python() -> Iterator[tuple[Path, Path]]:
    """The folders of this Python: of its virtual environment, and of its base installation."""
    real = Path(sys.executable).resolve().parents[1]
    for prefix in dict.fromkeys((real, Path(sys.base_prefix), Path(sys.prefix))):
        for part in PYTHON_PARTS:
            if (prefix / part).exists():
                yield prefix / part, prefix / part
