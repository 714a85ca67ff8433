"""Debug: which line folds the shift of a norm into weights that hold its gain already?"""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "10-block",
    5,
    Misconception(
        "weights-suspected",
        any_of(4, 6),
        "In the experiment nothing is off where all shifts are zero, whatever the gains. Are the "
        "new weights the fault then?",
    ),
    Misconception(
        "another-line-suspected",
        any_of(7, any_of(1, 2, 3, 8)),
        "This line goes through the layers, makes the lists, fills them or gives them back. "
        "In the experiment nothing is off where all gains are one, and nothing where all "
        "shifts are zero. Could that be so if it were wrong?",
    ),
    minutes=5,
)
