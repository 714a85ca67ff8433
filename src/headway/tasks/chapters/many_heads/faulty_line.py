"""Debug: the line that puts heads together by a `view` where a transpose is needed."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "09-many-heads",
    8,
    Misconception(
        "the-other-view",
        3,
        "Here the transpose is there: columns are cut first, then heads and tokens change places. "
        "Where is the same way gone back?",
    ),
    Misconception(
        "key-suspected",
        4,
        "The product needs keys whose last two axes have changed places, and they have. Print the "
        "weights: are they right?",
    ),
    Misconception(
        "mask-suspected",
        5,
        "The mask is right: True above the diagonal, where a later token stands. The weights are "
        "0 there. How can a later token get into the output all the same?",
    ),
    Misconception(
        "softmax-suspected",
        6,
        "Each row of the weights adds up to one, and later tokens have none. What happens to the "
        "mixtures afterwards?",
    ),
    Misconception(
        "mixture-suspected",
        7,
        "The mixtures are right, head by head. In which order do their axes stand, and which order "
        "does the next line read?",
    ),
    Misconception(
        "width-suspected",
        2,
        "A head is as wide as it should be. Which line puts the heads together?",
    ),
    minutes=2,
)
