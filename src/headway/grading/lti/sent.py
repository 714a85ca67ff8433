"""Which scores were sent to a platform, and what it took: kept beside the course."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from headway.errors import UserError
from headway.grading.lti.registration import write_lti_file


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


class SentScores:
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

    def has(self, item: dict | None, user: str, score: Sent) -> bool:
        """Whether the platform has answered that it took this score."""
        before = self.get(item, user)
        return bool(before and before.arrived and before.says_the_same(score))

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
        write_lti_file(self._path, json.dumps(kept))
