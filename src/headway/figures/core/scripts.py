"""The scripts of interactive figures, in the forms that notebooks and pages need.

Each figure's script is `gallery/NAME/figure.js`, an ES module with
`export default { render({ model, el }) }`, as anywidget wants it. `shared.js` is put before each.
Pages of the book, which must also work when opened from disk, where browsers load no modules, get
the same text as a classic script.
"""

from pathlib import Path

CORE = Path(__file__).parent
GALLERY = CORE.parent / "gallery"
EXPORT = "export default "


class UnknownFigureError(LookupError):
    """There is no script of the name that was given."""


def figure_names() -> list[str]:
    """The figures that have a script."""
    return sorted(path.parent.name for path in GALLERY.glob("*/figure.js"))


def read_script(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def es_module(name: str) -> str:
    """A figure's script as one self-contained ES module.

    Raises:
        UnknownFigureError: if there is none of this name.
    """
    if name not in figure_names():
        raise UnknownFigureError(
            f"There is no figure {name!r} in {GALLERY.name}/. "
            f"The figures are: {', '.join(figure_names())}."
        )
    return read_script(CORE / "shared.js") + read_script(GALLERY / name / "figure.js")


def classic_script(name: str) -> str:
    """A figure's script as a classic script that hands its module to `mount.js`.

    Raises:
        UnknownFigureError: if there is none of this name.
        ValueError: if the module does not have exactly one `export default`.
    """
    module = es_module(name)
    if module.count(EXPORT) != 1:
        raise ValueError(
            f"{name}/figure.js must have exactly one `{EXPORT.strip()}`, and no import"
        )
    return (
        f"(function () {{\n{module.replace(EXPORT, 'const figure = ')}\n"
        f'headwayFigure("{name}", figure);\n}})();\n'
    )
