"""`headway class lti`: make a course folder and a learning platform known to each other."""

import json
from dataclasses import asdict, replace
from typing import Annotated

import typer

from headway.chapters import hidden_modules
from headway.commands.console import note, say
from headway.commands.options import CourseFolder
from headway.errors import PASSED, UserError, needs_extra
from headway.grading.slow_imports import skip_slow_imports


def lti(
    folder: CourseFolder = None,
    issuer: Annotated[
        str | None, typer.Option(metavar="URL", help="The platform's name for itself.")
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="ID", help="The platform's name for this tool.")
    ] = None,
    token_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where it gives access tokens.")
    ] = None,
    lineitems: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's grade items are.")
    ] = None,
    members: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the course's class list is.")
    ] = None,
    audience: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Audience of the token request. Default: --token-url."),
    ] = None,
) -> int:
    """Register this course folder with a learning platform, to send scores there (LTI 1.3)."""
    given = {"issuer": issuer, "client_id": client_id, "token_url": token_url}
    given |= {"lineitems": lineitems, "members": members, "audience": audience}
    skip_slow_imports()
    with needs_extra("lti", "headway class lti"):
        from headway.grading.lti.registration import (
            keep_platform,
            key_of,
            platform_of,
            public_key,
        )
        from headway.grading.lti.users import read_logins
        from headway.grading.nbgrader.config_file import complete_config
        from headway.grading.nbgrader.course_config import PlugIns
        from headway.grading.settings import holds_a_course
    folder = folder.resolve()
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}. Expected a course folder.")
    if holds_a_course(folder):
        with PlugIns(folder).on_path():
            complete_config(folder, hidden_modules())
    before = platform_of(folder)
    platform = replace(before, **{name: text for name, text in given.items() if text is not None})
    courses = read_logins(folder).courses
    if len(courses) == 1 and not platform.lineitems:
        (services,) = courses.values()
        platform = replace(
            platform,
            lineitems=services.get("lineitems", ""),
            members=platform.members or services.get("members", ""),
        )
    elif len(courses) > 1 and not platform.lineitems:
        for name, services in courses.items():
            note(f"Course {name!r}: --lineitems {services.get('lineitems')}")
    if platform != before:
        keep_platform(folder, platform)
    key = key_of(folder)
    for name, text in asdict(platform).items():
        say(f"{name}: {text or 'not set'}")
    say(f"public key, as a JWK: {json.dumps(public_key(key))}")
    say(f"public key, as PEM:\n{key.export_to_pem().decode().strip()}")
    if platform.lacking:
        note(f"Still to be set, when the platform has told you: {', '.join(platform.lacking)}")
    return PASSED
