"""What the settings of classrooms that were made earlier call; there is nothing to set any more."""

import os

from headway.errors import UserError


def configure(config: object) -> None:
    """Leave nbgrader's settings as they are.

    Raises:
        UserError: if the hub names an ngshare, which the course's exchange no longer goes to.
    """
    if address := os.environ.get("NGSHARE_URL"):
        raise UserError(
            f"NGSHARE_URL is {address}, and the course has no exchange for ngshare any more. "
            "Unset it, and share a folder: see the book’s page “Clusters and graphics cards”."
        )
