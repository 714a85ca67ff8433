"""Send the gradebook's new and changed scores to the platform's grade items.

Each score is saved before it is sent and after the platform's answer. If the answer is lost, the
next run sends the same score with the same time, so that the platform recognizes it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from nbgrader.api import Assignment, Gradebook
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from traitlets import Bool, Dict

from headway.errors import NOT_PASSED, PASSED, UserError
from headway.grading.exports import GradesExport, number
from headway.grading.lti.registration import lti_folder, registration
from headway.grading.lti.sent import Sent, SentScores
from headway.grading.lti.service import NEWER, RequestRejected, Services
from headway.grading.lti.users import learners, read_logins, users_of
from headway.grading.safe_text import listed
from headway.interrupts import stop_if_asked

TAG = "headway"
MOST_NAMES = 20
CLOCK = "the platform has a newer score; is this machine's clock right?"
Say = Callable[[str], None]


Scores = dict[str, tuple[str, Sent]]  # student → (the platform's user id, the score)


class LtiExport(GradesExport):
    """Sends scores by LTI: `headway class export lti`.

    An assignment's grade item is the one that this tool created, or the one with the label in
    `titles`; if there is none, it is created.
    """

    titles = Dict(help="Labels of the platform's grade items, where they are its own.").tag(
        config=True
    )

    school_ids = Bool(
        False, help="The students' ids are the school's (SIS User ID, ID number), and no logins."
    ).tag(config=True)

    def send(self, book: Gradebook, say: Say, dry_run: bool = False, force: bool = False) -> int:
        """Send new and changed scores.

        Args:
            say: called with each line of progress.
            dry_run: query the platform, but send nothing.
            force: also send scores that were sent before.

        Returns:
            the exit code: 0 if the platform has all scores.

        Raises:
            UserError: if the platform refuses, or does not match the gradebook.
            MachineError: if the platform does not answer.
        """
        services = Services(*registration(self._folder))
        sent = SentScores(lti_folder(self._folder) / "sent.json")
        members, items = _class_and_items(services)
        run = _Run(services, items, learners(members), sent, say, dry_run, force)
        people = read_logins(self._folder).people
        users, why = users_of(self.chosen_students(book), people, members, self.school_ids)
        all_known, all_arrived = True, True
        for assignment in self.chosen_assignments(book):
            scores = self._scores(book, assignment)
            all_known &= self._tell_unknown(assignment, scores, why)
            to_send = {name: (users[name], one) for name, one in scores.items() if name in users}
            all_arrived &= self._send_assignment(run, assignment, to_send)
        return PASSED if all_known and all_arrived else NOT_PASSED

    def _scores(self, book: Gradebook, assignment: Assignment) -> dict[str, Sent]:
        """The scores of an assignment to send, by student."""
        found = {}
        for student in self.chosen_students(book):
            if score := self.score(book, assignment, student):
                comment = self.comment(book, assignment, student)
                found[student.id] = Sent(float(score), float(assignment.max_score), comment, "")
        return found

    def _tell_unknown(
        self, assignment: Assignment, scores: dict[str, Sent], why: dict[str, str]
    ) -> bool:
        """Log students with a score but no platform id; return whether there are none."""
        by_reason: dict[str, list[str]] = {}
        for student in sorted(scores.keys() & why.keys()):
            by_reason.setdefault(why[student], []).append(student)
        for reason, names in by_reason.items():
            self.log.warning(
                "%s: nothing was sent for %d with a score, because the platform %s: %s.",
                *(assignment.name, len(names), reason, listed(names, MOST_NAMES)),
            )
        return not by_reason

    def _send_assignment(self, run: "_Run", assignment: Assignment, to_send: Scores) -> bool:
        """Send an assignment's scores; return whether the platform has all of them."""
        if not to_send:
            run.say(f"{assignment.name}: no scores to send.")
            return True
        if not assignment.max_score > 0:
            self.log.warning(
                "%s has no points of its own, only a bonus; LTI has no such grade items. "
                "Export it as CSV.",
                assignment.name,
            )
            return False
        item = self._item(run, assignment)
        new = run.new(item, to_send)
        refused = run.send(assignment.name, item, new)
        self._tell(run, assignment, to_send, new, refused)
        self._tell_withdrawn(run, assignment, item, to_send)
        return not refused

    def _item(self, run: "_Run", assignment: Assignment) -> dict | None:
        """The grade item of an assignment; a missing one is created, or None in a dry run."""
        item = self._item_that_is_there(assignment, run.items)
        if item is not None:
            return item
        run.say(f"{assignment.name}: {'would make' if run.dry_run else 'making'} its grade item.")
        return None if run.dry_run else _make_item(run.services, assignment)

    def _item_that_is_there(self, assignment: Assignment, items: list[dict]) -> dict | None:
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

    def _tell(
        self,
        run: "_Run",
        assignment: Assignment,
        to_send: Scores,
        new: Scores,
        refused: dict[str, str],
    ) -> None:
        """Report how many scores were sent, and how many of the platform's class have none."""
        for student, reason in refused.items():
            self.log.warning(
                "%s: the score of %s was not taken: %s", assignment.name, student, reason
            )
        verb = "would be sent" if run.dry_run else "sent"
        parts = [f"{len(new) - len(refused)} {verb}", f"{len(to_send) - len(new)} as before"]
        parts += [f"{len(refused)} not taken"] if refused else []
        run.say(f"{assignment.name}: {', '.join(parts)}.")
        if run.learners and not self.student:
            without = run.learners - {user for user, _ in to_send.values()}
            run.say(
                f"{assignment.name}: of the {len(run.learners)} students in the platform's class "
                f"list, {len(without)} get no score."
            )

    def _tell_withdrawn(
        self, run: "_Run", assignment: Assignment, item: dict | None, to_send: Scores
    ) -> None:
        """Log students whose score is still on the platform but no longer in the gradebook."""
        if self.student:
            return
        kept = run.sent.users(item) - {user for user, _ in to_send.values()}
        if kept:
            self.log.warning(
                "%s: the platform keeps the scores of %s, of whom the gradebook has none now.",
                *(assignment.name, listed(sorted(kept), MOST_NAMES)),
            )


@dataclass(frozen=True)
class _Run:
    """The data of one run.

    Attributes:
        services: the platform's services.
        items: the platform's grade items.
        learners: the platform's ids of the students in its class list; empty without a list.
        sent: the scores sent before.
        say: called with each line of progress.
        dry_run: send nothing.
        force: also send scores that were sent before.
    """

    services: Services
    items: list[dict]
    learners: set[str]
    sent: "SentScores"
    say: Say
    dry_run: bool
    force: bool

    def new(self, item: dict | None, scores: Scores) -> Scores:
        """The scores that the platform does not have."""
        return {
            student: (user, score)
            for student, (user, score) in scores.items()
            if self.force or not self.sent.has(item, user, score)
        }

    def send(self, assignment: str, item: dict | None, scores: Scores) -> dict[str, str]:
        """Send scores to a grade item; return the reasons of refusals, by student."""
        refused = {}
        for student, (user, score) in scores.items():
            line = f"{assignment} {student}: {number(score.given)} of {number(score.most)}"
            if self.dry_run:
                self.say(f"would send {line}")
                continue
            stop_if_asked()
            if reason := self._put(item, user, score):
                refused[student] = reason
            else:
                self.say(f"sent {line}")
        return refused

    def _put(self, item: dict, user: str, score: Sent) -> str | None:
        """Send a score; return the reason if it was refused, and None otherwise."""
        before = self.sent.get(item, user)
        score = _timed(score, before)
        self.sent.put(item, user, score)
        try:
            self.services.put(_as_grade(user, score), item)
        except RequestRejected as error:
            if not _has_it(error, score, before):
                self.sent.put(item, user, before)
                return CLOCK if error.status == NEWER else str(error)
        self.sent.put(item, user, replace(score, arrived=True))
        return None


def _class_and_items(services: Services) -> tuple[list[dict], list[dict]]:
    """The platform's class list and its grade items."""
    try:
        return services.members(), services.line_items()
    except RequestRejected as error:
        raise UserError(
            f"{error}. The platform has to know the public key that `headway class lti` shows, and "
            "to let this tool read and write grade items."
        ) from error


def _make_item(services: Services, assignment: Assignment) -> dict:
    item = LineItem().set_label(assignment.name).set_resource_id(assignment.name).set_tag(TAG)
    item.set_score_maximum(float(assignment.max_score))
    try:
        return services.create(item, lambda one: _is_of(one, assignment.name))
    except RequestRejected as error:
        raise UserError(
            f"The grade item of {assignment.name} could not be made. {error}. Make it on the "
            "platform, and name it in nbgrader_config.py: c.LtiExport.titles = "
            f"{{{assignment.name!r}: 'its name there'}}"
        ) from error


def _has_it(error: RequestRejected, score: Sent, before: Sent | None) -> bool:
    """Whether the platform refuses a score because it has it already: its answer was lost."""
    resent = before and not before.arrived and before.time == score.time
    return error.status == NEWER and bool(resent or error.unsure)


def _is_of(item: dict, name: str) -> bool:
    return item.get("resourceId") == name and item.get("tag") == TAG


def _timed(score: Sent, before: Sent | None) -> Sent:
    """The score with a time: the same as before if the answer was lost, else a later one."""
    if before and not before.arrived and before.says_the_same(score):
        return before
    now = datetime.now(UTC)
    if before:  # platforms compare whole seconds
        now = max(now, datetime.fromisoformat(before.time) + timedelta(seconds=1))
    return replace(score, time=now.isoformat(timespec="milliseconds"))


def _as_grade(user: str, score: Sent) -> Grade:
    grade = Grade().set_user_id(user).set_timestamp(score.time).set_comment(score.comment)
    grade.set_score_given(score.given).set_score_maximum(score.most)
    return grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
