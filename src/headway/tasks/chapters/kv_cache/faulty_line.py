"""Debug: in which line keys are turned that have been turned."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception, any_of

faulty_line = which_line(
    "15-kv-cache",
    5,
    Misconception(
        "symptom-for-cause",
        8,
        "What comes out here is wrong, and what goes in was wrong by then. Run the function twice "
        "on paper: what are the keys like that the second call gets?",
    ),
    Misconception(
        "right-line-suspected",
        any_of(2, 3, 4, 6, 7),
        "This line does what it should: all tokens have their positions, the queries are the new "
        "ones, values carry no position, and new token 0 sees those that were held and itself. "
        "Call the function twice on paper: what does the second do to the results of the first?",
    ),
    minutes=3,
)
