"""A file in the course folder with the scores that were sent, and whether they arrived."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from headway.errors import UserError
from headway.grading.lti.registration import write_lti_file


@dataclass(frozen=True)
class Sent:
    """A score as it was sent.

    Attributes:
        given, most: the points, and the maximum.
        comment: the comment.
        time: by which the platform tells newer scores from older ones.
        arrived: whether the platform has confirmed the score.
    """

    given: float
    most: float
    comment: str
    time: str
    arrived: bool = False

    def says_the_same(self, other: "Sent") -> bool:
        """Whether both scores are equal, apart from their times."""
        return (self.given, self.most, self.comment) == (other.given, other.most, other.comment)


class SentScores:
    """The scores that were sent, by grade item and platform user id."""

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
        """Whether the platform has confirmed this score."""
        before = self.get(item, user)
        return bool(before and before.arrived and before.says_the_same(score))

    def users(self, item: dict | None) -> set[str]:
        return set(self._sent.get(item["id"], {})) if item else set()

    def put(self, item: dict, user: str, score: Sent | None) -> None:
        """Save a score, or delete it if None."""
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
