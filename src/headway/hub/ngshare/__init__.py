"""nbgrader's exchange as a service: ngshare (https://ngshare.readthedocs.io) in a folder's place.

Nobody needs a shared volume then, and who hands in is who the hub says it is, whatever the account
is called that their server runs as.
"""

import os
from typing import Any

from headway.grading.settings import EXCHANGE_SERVICE

CLASSES = {
    "exchange": "NgshareExchange",
    "list": "List",
    "release_assignment": "ReleaseAssignment",
    "fetch_assignment": "FetchAssignment",
    "submit": "Submit",
    "collect": "Collect",
    "release_feedback": "ReleaseFeedback",
    "fetch_feedback": "FetchFeedback",
}


def configure(config: Any) -> None:
    """Let nbgrader take ngshare for its exchange, if the environment names its address.

    Args:
        config: what `get_config()` gives.
    """
    url = os.environ.get(EXCHANGE_SERVICE)
    if not url:
        return
    for verb, name in CLASSES.items():
        config.ExchangeFactory[verb] = f"headway.hub.ngshare.exchange.{name}"
    config.NgshareExchange.url = url
