"""Scores of the gradebook, sent to the platform's grade items: each once, and again if it changed.

What was sent is written down before and after. If the answer got lost, the next run sends the same
score with the same time, of which the platform knows that it has it.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import Assignment, Gradebook
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from traitlets import Bool, Dict

from headway.errors import NOT_PASSED, PASSED, UserError
from headway.grading.exports import GradesExport, number
from headway.grading.lti.registration import registration, state, write_state
from headway.grading.lti.service import NEWER, Refused, Services
from headway.grading.lti.users import read_logins, users_of
from headway.grading.words import listed
from headway.interrupts import stop_if_asked

TAG = "headway"
MOST_NAMES = 20
Say = Callable[[str], None]


@dataclass(frozen=True)
class Sent:
    """A score as it was sent.

    Attributes:
        given, most: points, and out of how many.
        comment: beside them.
        time: by which the platform tells a newer score from an older one.
        arrived: whether the platform has answered that it took it.
    """

    given: float
    most: float
    comment: str
    time: str
    arrived: bool = False

    def says_the_same(self, other: "Sent") -> bool:
        """Whether it is the same score, whenever it was sent."""
        return (self.given, self.most, self.comment) == (other.given, other.most, other.comment)


class LtiExport(GradesExport):
    """Sends scores by LTI: `headway export lti`.

    The platform's grade item of an assignment is the one that this tool made for it, or one whose
    label `titles` names; if there is none, it is made.
    """

    titles = Dict(help="Labels of the platform's grade items, where they are its own.").tag(
        config=True
    )

    school_ids = Bool(
        False, help="The students' ids are the school's (SIS User ID, ID number), and no logins."
    ).tag(config=True)

    def send(self, book: Gradebook, say: Say, dry_run: bool = False, force: bool = False) -> int:
        """Send what is new.

        Args:
            say: called with each line of what was done.
            dry_run: ask the platform, and send nothing.
            force: send again what was sent before.

        Returns:
            the exit code: whether all scores are with the platform.

        Raises:
            UserError: if the platform or the gradebook are not as expected.
            MachineError: if the platform does not answer.
        """
        platform, known = registration(self._folder)
        services = Services(platform, known)
        sent = _Journal(state(self._folder) / "sent.json")
        try:
            members, items = services.members(), services.line_items()
        except Refused as error:
            raise UserError(
                f"{error}. The platform has to know the public key that `headway lti` shows, and "
                "to let this tool read and write grade items."
            ) from error
        students = self.chosen_students(book)
        users, why = users_of(students, read_logins(self._folder).people, members, self.school_ids)
        failed = False
        for assignment in self.chosen_assignments(book):
            to_send = self._scores(book, assignment, users)
            without = {
                one.id: why[one.id]
                for one in students
                if one.id in why and self.score(book, assignment, one)
            }
            for name, reason in sorted(without.items()):
                self.log.warning("%s: %s %s. Nothing was sent.", assignment.name, name, reason)
            failed |= bool(without)
            if not to_send:
                say(f"{assignment.name}: no scores to send.")
                continue
            if not assignment.max_score > 0:
                self.log.warning(
                    "%s has no points of its own, only a bonus; LTI has no such grade items. "
                    "Export it as CSV.",
                    assignment.name,
                )
                failed = True
                continue
            item = self._item(assignment, items)
            if item is None:
                say(f"{assignment.name}: {'would make' if dry_run else 'making'} its grade item.")
            if item is None and not dry_run:
                item = self._make(services, assignment)
            failed |= self._send(services, assignment, item, to_send, sent, say, dry_run, force)
        return NOT_PASSED if failed else PASSED

    def _scores(
        self, book: Gradebook, assignment: Assignment, users: dict[str, str]
    ) -> dict[str, tuple[str, Sent]]:
        """By student, the platform's id and what is to be sent."""
        found = {}
        for student in self.chosen_students(book):
            score = self.score(book, assignment, student)
            if score and student.id in users:
                comment = self.comment(book, assignment, student)
                one = Sent(float(score), float(assignment.max_score), comment, "")
                found[student.id] = users[student.id], one
        return found

    def _item(self, assignment: Assignment, items: list[dict]) -> dict | None:
        """The grade item of an assignment, if there is one."""
        title = self.titles.get(assignment.name)
        found = [
            one
            for one in items
            if (one.get("label") == title if title else _is_of(one, assignment.name))
        ]
        if len(found) > 1:
            raise UserError(
                f"The platform has {len(found)} grade items for {assignment.name}, and no score "
                "was sent. Delete those that nobody needs, on the platform."
            )
        if title and not found:
            raise UserError(f"The platform has no grade item {title!r}, which `titles` names.")
        return found[0] if found else None

    def _make(self, services: Services, assignment: Assignment) -> dict:
        item = LineItem().set_label(assignment.name).set_resource_id(assignment.name).set_tag(TAG)
        item.set_score_maximum(float(assignment.max_score))
        try:
            return services.create(item, lambda one: _is_of(one, assignment.name))
        except Refused as error:
            raise UserError(
                f"The grade item of {assignment.name} could not be made. {error}. Make it on the "
                "platform, and name it in nbgrader_config.py: c.LtiExport.titles = "
                f"{{{assignment.name!r}: 'its name there'}}"
            ) from error

    def _send(
        self,
        services: Services,
        assignment: Assignment,
        item: dict | None,
        to_send: dict[str, tuple[str, Sent]],
        sent: "_Journal",
        say: Say,
        dry_run: bool,
        force: bool,
    ) -> bool:
        """Send the scores of an assignment; gives whether one was not taken."""
        done, same, refused = 0, 0, {}
        for student, (user, score) in to_send.items():
            before = sent.get(item, user)
            if before and before.arrived and before.says_the_same(score) and not force:
                same += 1
                continue
            score = _timed(score, before)
            points = f"{number(score.given)} of {number(score.most)}"
            if dry_run:
                say(f"would send {assignment.name} {student}: {points}")
                done += 1
                continue
            stop_if_asked()
            sent.put(item, user, score)
            try:
                services.put(_as_grade(user, score), item)
            except Refused as error:
                # A score of which only the answer was lost, and which is not newer than itself.
                resent = before and not before.arrived and before.time == score.time
                if error.status != NEWER or not (resent or error.unsure):
                    sent.put(item, user, before)
                    refused[student] = (
                        "the platform has a newer score; is this machine's clock right?"
                        if error.status == NEWER
                        else str(error)
                    )
                    continue
            sent.put(item, user, replace(score, arrived=True))
            say(f"sent {assignment.name} {student}: {points}")
            done += 1
        for student, reason in refused.items():
            self.log.warning(
                "%s: the score of %s was not taken: %s", assignment.name, student, reason
            )
        verb = "would be sent" if dry_run else "sent"
        parts = [f"{done} {verb}", f"{same} as before"]
        parts += [f"{len(refused)} not taken"] if refused else []
        say(f"{assignment.name}: {', '.join(parts)}.")
        self._tell_withdrawn(assignment, item, to_send, sent)
        return bool(refused)

    def _tell_withdrawn(
        self,
        assignment: Assignment,
        item: dict | None,
        to_send: dict[str, tuple[str, Sent]],
        sent: "_Journal",
    ) -> None:
        """Say of whom the platform has a score and the gradebook has none any more."""
        if self.student:
            return
        kept = sent.users(item) - {user for user, _ in to_send.values()}
        if kept:
            self.log.warning(
                "%s: the platform keeps the scores of %s, of whom the gradebook has none now.",
                *(assignment.name, listed(sorted(kept), MOST_NAMES)),
            )


def _is_of(item: dict, name: str) -> bool:
    return item.get("resourceId") == name and item.get("tag") == TAG


def _timed(score: Sent, before: Sent | None) -> Sent:
    """The score with its time: of one whose answer was lost, the same; else a later one."""
    if before and not before.arrived and before.says_the_same(score):
        return before
    now = datetime.now(UTC)
    if before:  # platforms count in whole seconds
        now = max(now, datetime.fromisoformat(before.time) + timedelta(seconds=1))
    return replace(score, time=now.isoformat(timespec="milliseconds"))


def _as_grade(user: str, score: Sent) -> Grade:
    grade = Grade().set_user_id(user).set_timestamp(score.time).set_comment(score.comment)
    grade.set_score_given(score.given).set_score_maximum(score.most)
    return grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")


class _Journal:
    """Which scores were sent, by grade item and person of the platform."""

    def __init__(self, path: Path):
        self._path = path
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            self._sent = {
                item: {user: Sent(**score) for user, score in scores.items()}
                for item, scores in known.items()
            }
        except FileNotFoundError:
            self._sent = {}
        except (ValueError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path} cannot be read. Delete it; then all scores are sent once more."
            ) from error

    def get(self, item: dict | None, user: str) -> Sent | None:
        return self._sent.get(item["id"], {}).get(user) if item else None

    def users(self, item: dict | None) -> set[str]:
        return set(self._sent.get(item["id"], {})) if item else set()

    def put(self, item: dict, user: str, score: Sent | None) -> None:
        """Write down a score, or that there is none."""
        of_item = self._sent.setdefault(item["id"], {})
        if score is None:
            of_item.pop(user, None)
        else:
            of_item[user] = score
        kept = {
            item: {user: asdict(score) for user, score in scores.items()}
            for item, scores in self._sent.items()
        }
        write_state(self._path, json.dumps(kept))
