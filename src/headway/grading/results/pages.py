"""Render pages from templates: self-contained, without scripts, everything escaped."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from headway.grading.safe_text import visible


def render(template: str, filters: Mapping[str, Callable], **values: object) -> str:
    """The HTML of a template of this package.

    Args:
        filters: Jinja filters by name.
    """
    return _environment(tuple(filters.items())).get_template(template).render(**values)


@lru_cache(maxsize=8)
def _environment(filters: tuple[tuple[str, Callable], ...]) -> Environment:
    """A cached Jinja environment with the templates of this package."""
    environment = Environment(
        loader=PackageLoader("headway.grading.results", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters |= dict(filters)
    return environment


def _shown(value: object) -> object:
    """Text without invisible characters, cut; markup is unchanged, since it is safe already."""
    return value if isinstance(value, Markup) else visible(value)
