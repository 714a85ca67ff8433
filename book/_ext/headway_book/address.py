"""Tells Sphinx and the theme where the book and its repository are published (`headway.address`).

Whole addresses (canonical ones, the site map, places where a page opens with a click) are written
only where these are known.
"""

from headway.address import repository_address, site_address

# What Jupyter Book takes for the repository of a book that names none.
NOBODYS = "https://github.com/executablebooks/jupyter-book"


def tell(app, config) -> None:
    """Set the addresses; Jupyter Book knows only those of _config.yml."""
    options = config.html_theme_options
    known = {"html": {"baseurl": config.html_baseurl}, "repository": {}}
    if options.get("repository_url") != NOBODYS:
        known["repository"]["url"] = options.get("repository_url")
    config.html_baseurl = site_address(known)
    options["repository_url"] = repository_address(known)
    options["use_repository_button"] = bool(options["repository_url"])


def setup(app):
    app.connect("config-inited", tell, priority=400)  # before others read them
    return {"parallel_read_safe": True, "parallel_write_safe": True}
