"""Grade a group's submission once, and give the result to each of its students."""

from collections.abc import Mapping

Work = tuple[str, str, int]  # the group, the digest of what it handed in, the seed


class Together:
    """The results that students of a group share, as long as they have the same files.

    Args:
        groups: student → the group's name.
    """

    def __init__(self, groups: Mapping[str, str]):
        self._groups = groups
        self._work: dict[str, Work] = {}
        self._waiting: dict[Work, list[str]] = {}
        self._results: dict[Work, dict] = {}

    def waits(self, student: str, digest: str, seed: int) -> bool:
        """Whether the student waits for a result that is on its way for another of the group."""
        group = self._groups.get(student)
        if group is None:
            return False
        work = self._work[student] = group, digest, seed
        if work in self._waiting:
            self._waiting[work].append(student)
            return True
        if work not in self._results:
            self._waiting[work] = []
        return False

    def result(self, student: str) -> dict | None:
        """The result that another of the group got before."""
        return self._results.get(self._work.get(student))

    def arrived(self, student: str, result: dict) -> list[str]:
        """Take in a student's result; return the others who waited for it."""
        if student not in self._work:
            return []
        work = self._work[student]
        self._results[work] = result
        return self._waiting.pop(work, [])
