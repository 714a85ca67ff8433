"""Values to work out by hand: %{ids}."""

from headway.tasks.engine.by_hand import by_hand
from headway.tasks.engine.mistakes import Misconception
