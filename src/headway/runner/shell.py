"""The IPython shell that runs a notebook's cells and turns their outputs into notebook outputs.

It adjusts IPython as ipykernel does, but has no kernel: no sockets and no threads, which a fork
would break.
"""

import asyncio
import builtins
import getpass
import os
import signal
import subprocess
import sys
import tempfile
import traceback
import zlib
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import Any

from IPython.core.autocall import IPyAutocall
from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.error import StdinNotImplementedError
from IPython.core.formatters import DisplayFormatter
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import print_figure
from IPython.utils.process import system
from traitlets import Type
from traitlets.config import Config

from headway.runner.output_capture import Descriptors, OutputCapture, Stream

# ipykernel sets these for programs that a cell starts.
ENVIRONMENT = {
    "TERM": "xterm-color",
    "CLICOLOR": "1",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
}
# Bound at import, since a student's code may replace the original.
_timer = signal.setitimer
INLINE = "module://matplotlib_inline.backend_inline"
DRAWINGS, PICTURES = {"image/svg+xml", "application/pdf"}, {"image/png", "image/jpeg"}


class _Compiler(CachingCompiler):
    """Names cells as ipykernel does, since the name decides how tracebacks look."""

    def get_code_name(self, raw_code: str, code: str, number: int) -> str:
        number = zlib.crc32(raw_code.encode("utf-8", "replace"))
        return f"{tempfile.gettempdir()}/ipykernel_{os.getpid()}/{number}.py"


class _Formatter(DisplayFormatter):
    """Adds a PNG to figures that have only SVG or PDF, since no page shows those."""

    def format(self, obj, include=None, exclude=None):
        data, metadata = super().format(obj, include, exclude)
        if DRAWINGS & data.keys() and not PICTURES & data.keys():
            # The object may not be a figure, or cannot be drawn.
            with suppress(Exception):
                data["image/png"] = print_figure(obj, base64=True)
        return data, metadata


class _Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, *, transient=None, update=False, **_: Any) -> None:
        self._validate_data(data, metadata)
        kind = "update_display_data" if update else "display_data"
        name = transient.get("display_id") if isinstance(transient, dict) else None
        more = {"transient": {"display_id": name}} if type(name) is str else {}
        self.shell.capture.put_data(kind, data, metadata, **more)

    def clear_output(self, wait: bool = False) -> None:
        self.shell.capture.clear(bool(wait))


class _DisplayHook(DisplayHook):
    _data = _metadata = None

    def start_displayhook(self) -> None:
        self._data = self._metadata = None

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict, md_dict=None) -> None:
        self._data, self._metadata = format_dict, md_dict

    def finish_displayhook(self) -> None:
        if self._data:
            self.shell.capture.put_data(
                "execute_result", self._data, self._metadata, execution_count=self.prompt_count
            )
        self._data = self._metadata = None
        self._is_active = False


class _Exit(IPyAutocall):
    """`exit` and `quit`, which do nothing here."""

    rewrite = False

    def __call__(self, *_: Any) -> None:
        pass


class SessionShell(InteractiveShell):
    """IPython for the cells of one notebook; `make_shell` makes it, `use` sets its `capture`."""

    compiler_class = Type(_Compiler)
    displayhook_class = Type(_DisplayHook)
    display_pub_class = Type(_Publisher)
    capture = OutputCapture(lambda output: None)
    descriptors: Descriptors | None = None
    loop: asyncio.AbstractEventLoop | None = None
    timed_out: float | None = None

    def init_environment(self) -> None:
        os.environ.update(ENVIRONMENT)
        os.environ.setdefault("MPLBACKEND", INLINE)

    def init_user_ns(self) -> None:
        super().init_user_ns()
        self.user_ns["exit"] = self.user_ns["quit"] = _Exit()
        self.user_ns_hidden.update(exit=self.user_ns["exit"], quit=self.user_ns["quit"])

    def init_virtualenv(self) -> None:
        pass

    def init_display_formatter(self) -> None:
        self.display_formatter = _Formatter(parent=self)
        self.configurables.append(self.display_formatter)

    def enable_gui(self, gui: Any = None) -> None:
        pass

    def enable_matplotlib(self, gui: Any = None) -> tuple[Any, str]:
        """Show plots as pictures, whatever `%matplotlib` or `%pylab` names.

        Other ways need a display or a browser, or a package that is not installed here.
        """
        return super().enable_matplotlib("inline")

    def ask_exit(self) -> None:
        pass

    def atexit_operations(self) -> None:
        pass

    @contextmanager
    def _tee(self, channel):
        # The base class would keep all printed text in memory.
        yield

    def showtraceback(self, *arguments: Any, **options: Any) -> None:
        if self.timed_out is not None:
            _stop_alarm()  # the next interruption would hit this method
        super().showtraceback(*arguments, **options)

    def _showtraceback(self, etype, evalue, stb) -> None:
        name, text = str(etype.__name__), str(evalue)
        if self.timed_out is not None and issubclass(
            etype, KeyboardInterrupt | asyncio.CancelledError
        ):
            name = "CellTimeoutError"
            text = f"it computed for more than {self.timed_out:g} seconds, and was stopped"
            stb = [*stb[:-1], f"{name}: {text}"]
        self.capture.put_error(name, text, list(map(str, stb)))

    def system(self, cmd: str) -> None:
        """Run a command line; its output becomes the cell's."""
        if cmd.rstrip().endswith("&"):
            raise OSError("Background processes not supported.")
        cmd = self.var_expand(cmd, depth=1)
        try:
            code = system(cmd)
        except OSError:  # no pseudo-terminal is free
            done = subprocess.run(
                cmd, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
            )
            print(done.stdout.decode(errors="replace"), end="")
            code = done.returncode
        self.user_ns["_exit_code"] = code

    async def run_in_loop(self, source: str) -> None:
        """Run a cell as Jupyter does: inside a running event loop, even without `await`."""
        failure = None
        try:
            transformed = self.transform_cell(source)
        except Exception:
            transformed, failure = source, sys.exc_info()
        prepared = {"transformed_cell": transformed, "preprocessing_exc_tuple": failure}
        if not self.should_run_async(source, **prepared):
            self.run_cell(source, store_history=True)
            return
        result = None
        try:
            result = await self.run_cell_async(source, store_history=True, **prepared)
        finally:
            self.events.trigger("post_execute")
            self.events.trigger("post_run_cell", result)


def make_shell() -> SessionShell:
    """Create the shell; `use` connects it to a session."""
    if SessionShell.initialized():
        return SessionShell.instance()
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.autoindent = False
    with tempfile.TemporaryDirectory() as folder:  # instead of the user's own configuration
        return SessionShell.instance(config=config, ipython_dir=folder)


def use(shell: SessionShell, emit: Callable[[dict], None]) -> None:
    """Redirect this process's streams, descriptors 1 and 2 and input prompts to the shell.

    Args:
        emit: called with each output, as described in `OutputCapture`.
    """
    shell.capture = OutputCapture(emit)
    shell.descriptors = Descriptors()
    sys.stdin = open(os.devnull)  # noqa: SIM115 - open as long as the process
    sys.stdout, sys.stderr = Stream(shell.capture, "stdout", 1), Stream(shell.capture, "stderr", 2)
    # Last on the path, so that files beside the notebook can be imported but shadow no library.
    sys.path[:] = [*(place for place in sys.path if place), ""]
    builtins.input = _refuse("raw_input")
    getpass.getpass = _refuse("getpass")
    sys.breakpointhook = _refuse("breakpoint")
    shell.loop = asyncio.new_event_loop()
    asyncio.set_event_loop(shell.loop)


def run(shell: SessionShell, source: str) -> bool:
    """Run a cell; its outputs go to the shell's `capture`.

    Returns:
        whether the cell failed. Exceptions of the cell never propagate.
    """
    capture = shell.capture
    capture.begin()
    try:
        if shell.loop.is_closed():
            shell.loop = asyncio.new_event_loop()
            asyncio.set_event_loop(shell.loop)
        task = shell.loop.create_task(shell.run_in_loop(source))
        try:
            shell.loop.run_until_complete(task)
        except KeyboardInterrupt:
            if task.done():
                raise
            # The cell was awaiting something: raise the interruption at that await.
            task.cancel()
            shell.loop.run_until_complete(task)
    except BaseException as error:  # IPython itself failed, say on a lone surrogate
        _stop_alarm()
        lines = traceback.format_exception_only(type(error), error)
        shell._showtraceback(type(error), error, [line.rstrip("\n") for line in lines])
    _stop_alarm()
    for name, text in shell.descriptors.take():
        capture.write(name, text)
    if shell.timed_out is not None and not capture.failed:  # the cell caught the interruption
        shell._showtraceback(KeyboardInterrupt, KeyboardInterrupt(), [])
    capture.end()
    return capture.failed


def _stop_alarm() -> None:
    _timer(signal.ITIMER_PROF, 0)


def _refuse(what: str) -> Callable:
    def refuse(*_: Any, **__: Any) -> None:
        raise StdinNotImplementedError(
            f"{what} was called, but this frontend does not support input requests."
        )

    return refuse
