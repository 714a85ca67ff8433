"""Pages made from templates: self-contained, without scripts, everything in them escaped."""

from collections.abc import Callable, Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined

MOST_TEXT = 2_000


def render(template: str, filters: Mapping[str, Callable], **values: object) -> str:
    """The HTML of a template of this package.

    Args:
        filters: what the template may do to a value, by name.
    """
    environment = Environment(
        loader=PackageLoader("headway.grading.results", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    environment.filters |= filters
    return environment.get_template(template).render(**values)


def visible(value: object) -> object:
    """Text without characters that are not seen or that turn other text around.

    A name or a reason may hold what a student chose: of control characters, and marks of the
    direction of writing, the page shows the number.
    """
    if not isinstance(value, str) or (value.isprintable() and len(value) <= MOST_TEXT):
        return value
    cut = f"{value[:MOST_TEXT]}…" if len(value) > MOST_TEXT else value
    seen = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in " ".join(cut.split()))
    return type(value)(seen)  # markup of the template stays markup
