"""A real browser on the built site, with every other host cut off."""

import gzip
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.conftest import PATIENCE

COMPRESSED = {".html", ".css", ".js", ".json", ".svg"}


class QuietHandler(SimpleHTTPRequestHandler):
    """Sends text compressed, as web servers do."""

    def send_head(self):
        file = Path(self.translate_path(self.path))
        if file.suffix not in COMPRESSED or not file.is_file():
            return super().send_head()
        data = gzip.compress(file.read_bytes(), compresslevel=6)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return BytesIO(data)

    def log_message(self, *args):
        pass


def serve(folder: Path):
    """A server of a folder on a free port of this machine; yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def site(built_book):
    """The address of the built site."""
    yield from serve(built_book)


@dataclass
class Visit:
    """One page, and everything that went wrong on it."""

    page: Page
    faults: list[str] = field(default_factory=list)
    bodies: dict[str, int] = field(default_factory=dict)


@contextmanager
def watched(browser):
    """Gives a function that opens an address and returns a `Visit`; see the fixture `visit`."""
    contexts, visits = [], []

    def open_page(address, mode="light", width=1400, settled=False, first="", **options) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=mode, **options
        )
        contexts.append(context)
        seen = Visit(context.new_page())
        visits.append(seen)
        home = urlsplit(address).netloc

        def gate(route):
            asked = urlsplit(route.request.url)
            if asked.scheme in ("http", "https", "ws", "wss") and asked.netloc != home:
                seen.faults.append(f"request to another host: {route.request.url}")
                route.abort()
            else:
                route.continue_()

        def answered(response):
            if response.status >= 400:
                seen.faults.append(f"{response.status} for {response.url}")

        def finished(request):
            if request.url.startswith("http"):
                seen.bodies[request.url] = request.sizes()["responseBodySize"]

        context.set_default_timeout(PATIENCE * 1000)
        context.route("**/*", gate)
        context.add_init_script(first)
        page = seen.page
        page.on("response", answered)
        page.on("requestfinished", finished)
        if options.get("java_script_enabled", True):  # else scripts are given up, which is right
            page.on("requestfailed", lambda asked: seen.faults.append(f"failed: {asked.url}"))
        page.on("pageerror", lambda error: seen.faults.append(f"exception: {error}"))
        page.on(
            "console",
            lambda said: seen.faults.append(f"console: {said.text}") if said.type == "error" else 0,
        )
        page.goto(address)
        if settled:
            page.wait_for_load_state("networkidle")
        return seen

    yield open_page
    faults = [fault for seen in visits for fault in seen.faults]  # what closing breaks off is none
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def visit(browser):
    """Opens an address and returns a `Visit` once the page is loaded and its scripts have run.

    With `settled`, it waits until nothing more is fetched; the script `first` runs before the
    page's own. At the end, no visit may have had a fault.

    A fault is a request to another host (it is refused), a failed request, an answer that is an
    error, an error in the console, or an exception in a script.
    """
    with watched(browser) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def chapter(request, site, browser) -> Page:
    """The page that the test's module names as its `CHAPTER`, loaded once for all its tests.

    A test begins with `figure_of`, which mounts its figures anew.
    """
    with watched(browser) as open_page:
        page = open_page(f"{site}/{request.module.CHAPTER}").page
        page.evaluate("document.fonts.ready.then(() => 1)")  # other letters move what is below them
        yield page


@pytest.fixture
def alone(browser, tmp_path):
    """Opens HTML as a page of one file without a network; it must ask for nothing and run nothing.

    With `refusing`, the console may tell what the page's policy has refused, else it is silent.
    """
    contexts = []

    def open_page(html, mode="light", width=1200, refusing=False) -> Page:
        path, happened = tmp_path / "page.html", []
        path.write_text(html, encoding="utf-8")
        window = {"width": width, "height": 900}
        contexts.append(browser.new_context(viewport=window, color_scheme=mode, offline=True))
        page = contexts[-1].new_page()
        page.on("dialog", lambda dialog: (happened.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: happened.append(str(error)))
        page.on("request", lambda asked: happened.append(asked.url))
        if not refusing:
            page.on("console", lambda message: happened.append(message.text))
        page.goto(path.as_uri())
        page.wait_for_timeout(100)
        assert [it for it in happened if not it.startswith("data:image/")] == [path.as_uri()]
        return page

    yield open_page
    for context in contexts:
        context.close()
