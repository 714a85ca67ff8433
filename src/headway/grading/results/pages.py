"""Pages made from templates: self-contained, without scripts, everything in them escaped."""

from collections.abc import Callable, Mapping

from jinja2 import Environment, PackageLoader, StrictUndefined

from headway.grading.words import visible


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
