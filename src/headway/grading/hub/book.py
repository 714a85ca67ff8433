"""The book as a service of JupyterHub: `python -m headway.grading.hub.book FOLDER`.

Reading only, and without a login, as on a site of its own.
"""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class _Pages(SimpleHTTPRequestHandler):
    """Pages below the prefix that JupyterHub gives to the service."""

    prefix = "/"

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(self.prefix))

    def log_message(self, format: str, *args: object) -> None:
        pass


def main(folder: str) -> None:
    """Serve a folder where JupyterHub says, until it ends this process."""
    place = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    _Pages.prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    handler = partial(_Pages, directory=folder)
    with ThreadingHTTPServer((place.hostname, place.port), handler) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
