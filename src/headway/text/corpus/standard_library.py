"""Real English that every Python has: the docstrings of its standard library.

The docstrings are read from the source files, not from imported modules: nothing is executed,
and definitions for other platforms count too. So the texts are the same bytes on every
platform *for one version of Python*. Between versions the library's authors add, drop and
reword docstrings: what is measured on these texts changes a little with the version.
"""

import ast
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

# Modules written in Python that exist on all platforms, in every version from 3.11 on.
MODULES = (
    *("abc", "argparse", "ast", "base64", "bdb", "bisect", "calendar", "cmd", "code", "codecs"),
    *("collections", "concurrent.futures._base", "configparser", "contextlib", "copy", "csv"),
    *("dataclasses", "difflib", "dis", "doctest", "email.message", "enum", "filecmp"),
    *("fileinput", "fnmatch", "fractions", "ftplib", "functools", "getopt", "gettext", "glob"),
    *("graphlib", "gzip", "hashlib", "heapq", "html.parser", "http.client", "http.cookiejar"),
    *("imaplib", "inspect", "ipaddress", "json", "json.decoder", "json.encoder", "linecache"),
    *("locale", "logging", "mailbox", "mimetypes", "netrc", "optparse", "os", "pdb", "pickle"),
    *("pickletools", "pkgutil", "platform", "plistlib", "poplib", "pprint", "pstats", "queue"),
    *("quopri", "random", "reprlib", "sched", "selectors", "shelve", "shlex", "shutil"),
    *("smtplib", "socket", "socketserver", "statistics", "string", "subprocess", "tarfile"),
    *("tempfile", "textwrap", "threading", "timeit", "tokenize", "traceback", "types", "typing"),
    *("unittest.case", "unittest.mock", "urllib.parse", "urllib.request", "uuid", "warnings"),
    *("weakref", "webbrowser", "xml.dom.minidom", "xml.etree.ElementTree", "xmlrpc.client"),
    *("zipapp", "zipfile"),
)

# All of these, and more whose documentation is long: what the book's longest training reads.
LIBRARY = (
    *MODULES,
    *("_collections_abc", "_pyio", "_strptime", "_threading_local", "asyncio.base_events"),
    *("asyncio.events", "asyncio.futures", "asyncio.locks", "asyncio.protocols"),
    *("asyncio.queues", "asyncio.sslproto", "asyncio.streams", "asyncio.subprocess"),
    *("asyncio.tasks", "asyncio.transports", "asyncio.unix_events", "bz2", "codeop"),
    *("compileall", "concurrent.futures.process", "concurrent.futures.thread"),
    *("email._header_value_parser", "email._policybase", "email.charset", "email.feedparser"),
    *("email.generator", "email.header", "email.headerregistry", "email.parser", "email.policy"),
    *("email.quoprimime", "email.utils", "hmac", "http.cookies", "http.server"),
    *("importlib._bootstrap", "importlib._bootstrap_external", "importlib.abc"),
    *("importlib.metadata", "importlib.util", "logging.config", "logging.handlers", "lzma"),
    *("multiprocessing.connection", "multiprocessing.managers", "multiprocessing.pool"),
    *("multiprocessing.shared_memory", "numbers", "operator", "profile", "py_compile", "pyclbr"),
    *("pydoc", "re", "rlcompleter", "site", "ssl", "trace", "unittest.loader", "unittest.suite"),
    *("urllib.robotparser", "wave", "wsgiref.handlers", "wsgiref.headers"),
    *("wsgiref.simple_server", "wsgiref.util", "wsgiref.validate", "xml.dom.expatbuilder"),
    *("xml.dom.pulldom", "xml.sax.expatreader", "xml.sax.handler", "xml.sax.saxutils"),
    *("xml.sax.xmlreader", "xmlrpc.server", "zipimport"),
)


@cache
def docstrings(modules: tuple[str, ...] = MODULES) -> tuple[str, ...]:
    """The docstrings of modules, classes and functions, without indentation.

    Modules come in the order given, and docstrings in the order of the source; one that
    stands in several places is taken once.

    Args:
        modules: names of modules of the standard library that are written in Python.

    Returns:
        tuple of texts, of one line or many, none of them empty.

    Raises:
        FileNotFoundError: if the source of a module is not there.
    """
    found: dict[str, None] = {}
    for module in modules:
        tree = ast.parse(source_of(module).read_text(encoding="utf-8"))
        for node in in_order(tree):
            if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
                found.setdefault("\n".join(line.rstrip() for line in text.strip().splitlines()))
    found.pop("", None)
    return tuple(found)


SENTENCE_END = re.compile(r"(?<=[.?!:])\s+")
WORDS_ONLY = re.compile(r"[A-Z][A-Za-z,'\s]*\.")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


@cache
def plain_sentences(modules: tuple[str, ...] = MODULES) -> tuple[str, ...]:
    """The sentences of the docstrings that are words from capital letter to period.

    What holds a digit, a bracket or other signs of code is left out. In what remains, capitals
    become small, and commas and the period go; words are parted by single spaces. A sentence that
    stands in several docstrings comes as often.

    Args:
        modules: as in `docstrings`.

    Returns:
        tuple of sentences, in the order of the text, none of them empty.

    Raises:
        FileNotFoundError: if the source of a module is not there.
    """
    parts = (part for text in docstrings(modules) for part in SENTENCE_END.split(text))
    return tuple(" ".join(WORD.findall(p.lower())) for p in parts if WORDS_ONLY.fullmatch(p))


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all nodes below it, in the order of the source."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):  # expressions hold no docstrings
            yield from in_order(child)


def source_of(module: str) -> Path:
    """The source file of a module of the standard library.

    Raises:
        FileNotFoundError: if there is none.
    """
    base = Path(os.__file__).parent.joinpath(*module.split("."))
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.is_file():
            return file
    raise FileNotFoundError(
        f"the source of {module!r} is not at {base}: not a module of this Python "
        f"{sys.version_info.major}.{sys.version_info.minor} that is written in Python, or an "
        "installation without sources"
    )
