"""Install a part of the course into .venv, and say how it goes.

    python3 tools/install.py course     what the book and grading need
    python3 tools/install.py test       what the tests need, too

It runs before anything is installed, so it uses the standard library alone. pip does the work. Its
whole output is kept in .venv/install.log.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv"
EXTRAS = {"course": "book,grade", "test": "test"}
# Where PyTorch's builds without CUDA are; a mirror can take its place.
CPU_BUILDS = os.environ.get("TORCH_INDEX") or "https://download.pytorch.org/whl/cpu"
FOUND = re.compile(r"(?:Collecting|Requirement already satisfied:) ([\w.-]+)")
DOWNLOADING = re.compile(r"\s*Downloading (\S+?)-\d\S* \(([\d.]+ [kMG]B)\)")
INSTALLING = re.compile(r"Installing collected packages: (.*)")


class InstallError(Exception):
    """What failed and what to do, in a sentence or two."""


class Line:
    """One line that says what is going on: rewritten on a terminal, else repeated now and then."""

    def __init__(self, started: float, pause: float = 15):
        self.text: Callable[[], str] | str = ""
        self._started, self._pause, self._told = started, pause, started
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._keep_telling, daemon=True)

    def __enter__(self) -> "Line":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()
        if sys.stdout.isatty():
            print("\r\x1b[K", end="", flush=True)

    def _keep_telling(self) -> None:
        while not self._done.wait(0.5):
            minutes, seconds = divmod(int(time.monotonic() - self._started), 60)
            text = self.text if isinstance(self.text, str) else self.text()
            text = f"     {text}  {minutes}:{seconds:02d}"
            if sys.stdout.isatty():
                print(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}", end="")
                sys.stdout.flush()
            elif time.monotonic() - self._told > self._pause:
                self._told = time.monotonic()
                print(text, flush=True)


def install(part: str) -> None:
    """Make the environment if there is none, and bring a part of the course into it.

    Raises:
        InstallError: if that fails. What was installed stays.
    """
    started = time.monotonic()
    if not (ENVIRONMENT / "bin" / "python").exists():
        venv.create(ENVIRONMENT, with_pip=True, symlinks=True)
    (ENVIRONMENT / "install.log").unlink(missing_ok=True)
    with Line(started) as line:
        install_torch(line)
        line.text = "asking the package index"
        wanted = f".[{EXTRAS[part]}]"
        done, said = pip(["install", "-c", "constraints.txt", "-e", wanted], teller(line))
    if done:
        raise InstallError(
            f"pip could not install the packages: {reason(said)} Mend that and run the same "
            f"command; what is there stays. All that pip said is in {ENVIRONMENT.name}/install.log."
        )
    count, size = len(packages()), size_of(ENVIRONMENT)
    seconds = time.monotonic() - started
    print(f"     {count} packages, {size / 1e9:.1f} GB in .venv. It took {spoken(seconds)}.")


def install_torch(line: Line) -> None:
    """Take PyTorch's CPU build where there is no NVIDIA card, if its index can be reached."""
    if any(path.name.startswith("torch-") for path in packages()):
        return
    if sys.platform != "linux" or has_nvidia_card():
        return
    line.text = "getting PyTorch's CPU build, because there is no NVIDIA card"
    asked = ["install", "--no-deps", "-c", "constraints.txt", "--retries", "1", "--timeout", "20"]
    done, _ = pip([*asked, "--index-url", CPU_BUILDS, "torch"], lambda said: None)
    if done:
        tell(
            f"     {CPU_BUILDS} can't be reached, so this takes PyPI's build of PyTorch, which "
            "brings 4 GB of CUDA libraries."
        )


def tell(text: str) -> None:
    """Print a line that stays."""
    print(("\r\x1b[K" if sys.stdout.isatty() else "") + text, flush=True)


def has_nvidia_card() -> bool:
    """Whether there is a card that PyTorch's CUDA build could use."""
    if Path("/proc/driver/nvidia/version").exists():
        return True
    program = shutil.which("nvidia-smi")  # on WSL it is all there is
    return bool(program) and not subprocess.run([program, "-L"], capture_output=True).returncode


def pip(arguments: list[str], on_line: Callable[[str], None]) -> tuple[int, list[str]]:
    """Run pip in the environment; its exit code and what it said."""
    command = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", *arguments, "--progress-bar=off"]
    said = []
    with (
        open(ENVIRONMENT / "install.log", "a", encoding="utf-8") as log,
        subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as running,
    ):
        for output in running.stdout:
            log.write(output)
            said.append(output.rstrip())
            on_line(said[-1])
    return running.returncode, said


def teller(line: Line) -> Callable[[str], None]:
    """What turns pip's lines into one that counts."""
    found: set[str] = set()

    def take(said: str) -> None:
        if match := FOUND.match(said):
            found.add(match[1].lower())
            line.text = f"{len(found)} packages found"
        elif match := DOWNLOADING.match(said):
            line.text = f"{len(found)} packages found, downloading {match[1]} ({match[2]})"
        elif match := INSTALLING.match(said):
            total, before = match[1].count(",") + 1, len(packages())
            # pip does not say how far it is, but one sees what it has put there.
            line.text = lambda: f"{len(packages()) - before} of {total} packages installed"

    return take


def packages() -> list[Path]:
    """What is installed."""
    return list(ENVIRONMENT.glob("lib/python*/site-packages/*.dist-info"))


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*"))


def reason(said: list[str]) -> str:
    """Why pip gave up: its last error."""
    errors = [text.partition(":")[2].strip() for text in said if text.startswith("ERROR:")]
    return f"{errors[-1].rstrip('.')}." if errors else "it ended without a word."


def spoken(seconds: float) -> str:
    """A duration in words."""
    return f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.1f} minutes"


if __name__ == "__main__":
    try:
        install(sys.argv[1])
    except InstallError as error:
        sys.exit(f"     {error}")
    except KeyboardInterrupt:
        sys.exit("\n     Stopped. The same command goes on.")
