"""The scripts of interactive figures, in the forms that notebooks and pages need.

A figure is a folder in its chapter's room of the gallery, or in `shared`:
`gallery/CHAPTER/NAME/__init__.py` feeds `gallery/CHAPTER/NAME/figure.js`, an ES module with
`export default { render({ model, el }) }`, as anywidget wants it. It imports what it takes from
`core/shared.js` by name, perhaps from other modules of `core/` and of `engine/` (which import from
each other), and nothing else, and may export functions for tests. Node and editors load the modules
as they are; here they become one text, in which only the names that were imported exist. Pages of
the book, which must also work when opened from disk, where browsers load no modules, get the same
text as a classic script.
"""

import re
from pathlib import Path

CORE = Path(__file__).parent
ENGINE, GALLERY = CORE.parent / "engine", CORE.parent / "gallery"
MOUNT, SHARED = CORE / "mount.js", CORE / "shared.js"

TAKEN = re.compile(
    r'^import \{ ([\w, ]+) \} from "(\.\./\.\./\.\./core|\.\./\.\./\.\./engine|\.)/(\w+\.js)";\n',
    re.MULTILINE,
)
ANY_IMPORT = re.compile(r"^\s*import\b|\bimport\s*\(", re.MULTILINE)
EXPORTED = re.compile(r"^export (?=function (\w+))", re.MULTILINE)
ANY_EXPORT = re.compile(r"^\s*export\b", re.MULTILINE)
DEFAULT = "export default "
SCRIPT_NAMED = re.compile(r'\bscript="(\w+)"')


class UnknownFigureError(LookupError):
    """There is no figure of the name that was given."""


class GalleryError(ValueError):
    """A figure's folder lacks something, or its script cannot be joined; the message says what."""


def figure_folders(gallery: Path = GALLERY) -> dict[str, Path]:
    """The folder of each figure: those in the gallery's rooms that hold more than byte code.

    Raises:
        GalleryError: if two rooms have a figure of the same name.
    """
    found: dict[str, Path] = {}
    for folder in sorted(gallery.glob("*/*/"), key=lambda path: path.name):
        if folder.name == "__pycache__" or not any(folder.glob("*.*")):
            continue
        if folder.name in found:
            raise GalleryError(
                f"Two figures are called {folder.name}, in {found[folder.name].parent.name} and in "
                f"{folder.parent.name}. Pages find a figure by its name; give one of them another."
            )
        found[folder.name] = folder
    return found


def figure_names(gallery: Path = GALLERY) -> list[str]:
    """The names of all figures."""
    return list(figure_folders(gallery))


def figure_folder(name: str) -> Path:
    """The folder of a figure.

    Raises:
        UnknownFigureError: if there is none of this name.
    """
    folder = figure_folders().get(name)
    if not folder or not (folder / "figure.js").is_file():
        raise UnknownFigureError(
            f"There is no figure {name!r} in gallery/. "
            f"The figures are: {', '.join(figure_names())}."
        )
    return folder


def check_gallery(gallery: Path = GALLERY) -> None:
    """See that each figure's folder holds Python and a script that belong together.

    Raises:
        GalleryError: for the first figure that lacks one of them, or whose Python does not name
            its script, or whose script cannot be joined with what is shared.
    """
    for name, folder in figure_folders(gallery).items():
        where = f"gallery/{folder.parent.name}/{name}/"
        for file, purpose in (("__init__.py", "feeds it"), ("figure.js", "draws it")):
            if not (folder / file).is_file():
                raise GalleryError(f"The figure {where} has no {file}, which {purpose}.")
        python = (folder / "__init__.py").read_text(encoding="utf-8")
        if name not in SCRIPT_NAMED.findall(python):
            raise GalleryError(
                f"The Python of {where} does not name its script. Give its Interactive "
                f'script="{name}", the name of the folder.'
            )
        joined(folder / "figure.js")


def es_module(name: str) -> str:
    """A figure's script as one self-contained ES module.

    Raises:
        UnknownFigureError: if there is none of this name.
        GalleryError: if it cannot be joined with what is shared.
    """
    return joined(figure_folder(name) / "figure.js")


def classic_script(name: str) -> str:
    """A figure's script as a classic script that hands its module to `mount.js`.

    Raises:
        UnknownFigureError, GalleryError: as `es_module` does.
    """
    module = es_module(name).replace(DEFAULT, "const figure = ")
    return f'(function () {{\n{module}\nheadwayFigure("{name}", figure);\n}})();\n'


def joined(script: Path) -> str:
    """A figure's module behind what it imports, with its default as the only export.

    Raises:
        GalleryError: if it imports in another form, or a name that is not there, or exports
            anything but functions and one default.
    """
    text = script.read_text(encoding="utf-8")
    if SHARED not in {source(script, folder, file) for _, folder, file in TAKEN.findall(text)}:
        raise GalleryError(
            f"{place(script)} must have one import of what is shared, on one line: "
            'import { h, show } from "../../../core/shared.js";'
        )
    if text.count(DEFAULT) != 1 or len(ANY_EXPORT.findall(text)) != 1 + len(EXPORTED.findall(text)):
        raise GalleryError(
            f"{place(script)} must have one `export default {{ render }}`; anything else that it "
            "exports is an `export function`."
        )
    return with_imports(script)


def with_imports(script: Path) -> str:
    """A module without its imports, behind the functions that they name; no function is exported.

    Raises:
        GalleryError: if it imports in another form, or a name that is not there.
    """
    text = script.read_text(encoding="utf-8")
    imports = TAKEN.findall(text)
    if len(imports) != len(ANY_IMPORT.findall(text)):
        raise GalleryError(
            f"{place(script)} must have one import for each module of core/, of engine/ or beside "
            'it that it uses, on one line: import { greedy } from "../../../engine/search.js";'
        )
    return "".join(
        taken(script, names, source(script, folder, file)) for names, folder, file in imports
    ) + EXPORTED.sub("", TAKEN.sub("", text))


def taken(script: Path, names: str, other: Path) -> str:
    """What a script's import of `names` from another module defines, and nothing else.

    Raises:
        GalleryError: if the other does not export one of the names.
    """
    exported = EXPORTED.findall(other.read_text(encoding="utf-8")) if other.is_file() else []
    if unknown := set(names.split(", ")) - set(exported):
        raise GalleryError(
            f"{place(script)} imports {', '.join(sorted(unknown))}, which {place(other)} does not "
            f"export. It exports {', '.join(exported) or 'nothing'}."
        )
    return f"const {{ {names} }} = (() => {{\n{with_imports(other)}return {{ {names} }};\n}})();\n"


def source(script: Path, folder: str, file: str) -> Path:
    """The module that an import of a script names."""
    return {"../../../core": CORE, "../../../engine": ENGINE}.get(folder, script.parent) / file


def place(script: Path) -> str:
    """A script as messages name it, with its folder."""
    return f"{script.parent.name}/{script.name}"
