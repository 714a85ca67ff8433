"""The browser whose print engine makes the PDF: found by name, and run without a window."""

import os
import platform
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from headway.errors import MachineError, UserError

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
)
PLACES = {
    "Darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    "Windows": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
}
VARIABLE = "HEADWAY_BROWSER"
VIRTUAL_MS = 600_000  # of the page's own clock, which runs ahead while nothing happens
LIMIT_S = 600


class NoBrowserError(UserError):
    """No browser is installed that can print."""


def find_browser() -> str:
    """The program of a Chromium, Chrome or Edge.

    The one that `HEADWAY_BROWSER` names comes first, then what is installed under a usual name or
    in a usual place, then what Playwright has fetched.

    Raises:
        NoBrowserError: if there is none; the message says what to install.
    """
    if named := os.environ.get(VARIABLE):
        if found := shutil.which(named):
            return found
        raise NoBrowserError(f"{VARIABLE} names {named!r}, which is no program on this machine.")
    for name in (*NAMES, *PLACES.get(platform.system(), ())):
        if found := shutil.which(name):
            return found
    if found := fetched_by_playwright():
        return found
    raise NoBrowserError(
        "The PDF is printed by a browser, and neither Chromium nor Chrome nor Edge was found. "
        "Install one (Debian and Ubuntu: sudo apt-get install chromium; anywhere: "
        "pip install playwright, then playwright install chromium), or name its program in "
        f"{VARIABLE}. The EPUB needs no browser."
    )


def fetched_by_playwright() -> str | None:
    """The Chromium that `playwright install chromium` has fetched, if it has."""
    if find_spec("playwright") is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.executable_path
    return program if Path(program).is_file() else None


def print_page(page: Path, pdf: Path, browser: str) -> None:
    """Print an HTML file, with tags and an outline.

    Raises:
        MachineError: if the browser wrote no PDF; the message ends with its last words.
    """
    with tempfile.TemporaryDirectory(
        prefix="browser-", dir=pdf.parent, ignore_cleanup_errors=True
    ) as home:
        command = [
            *(browser, "--headless", "--disable-gpu", f"--user-data-dir={home}"),
            *("--no-first-run", "--disable-extensions", "--hide-scrollbars"),
            *("--allow-file-access-from-files", f"--virtual-time-budget={VIRTUAL_MS}"),
            *("--no-pdf-header-footer", "--generate-pdf-document-outline", "--export-tagged-pdf"),
            *(f"--print-to-pdf={pdf}", page.as_uri()),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # Chromium's own does not work for root.
        pdf.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=LIMIT_S
            )
        except subprocess.TimeoutExpired as error:
            raise MachineError(
                f"{browser} had not printed the book after {LIMIT_S} seconds and was stopped."
            ) from error
    if done.returncode or not pdf.is_file():
        said = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise MachineError(f"{browser} printed nothing (exit code {done.returncode}):\n{said}")
