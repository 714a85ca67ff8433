"""Where the course is published: said in `_config.yml` and in the environment, or nowhere.

A copy of the course that is not published has no address, and then names none.
"""

import os

SITE, REPOSITORY = "HEADWAY_BASEURL", "HEADWAY_REPOSITORY"  # as a workflow sets them


def site_address(config: dict) -> str:
    """The address of the book's site, with a slash at its end; "" if it has none.

    Args:
        config: `_config.yml`, read.
    """
    given = os.environ.get(SITE) or (config.get("html") or {}).get("baseurl") or ""
    return f"{given.rstrip('/')}/" if given else ""


def repository_address(config: dict) -> str:
    """The address of the repository, without a slash at its end; "" if it has none."""
    given = os.environ.get(REPOSITORY) or (config.get("repository") or {}).get("url") or ""
    return given.rstrip("/")
