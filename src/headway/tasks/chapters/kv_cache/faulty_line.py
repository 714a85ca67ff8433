"""Debug: in which line the position restarts."""

from headway.tasks.engine.by_hand import which_line
from headway.tasks.engine.mistakes import Misconception

faulty_line = which_line(
    "15-kv-cache",
    3,
    Misconception(
        "the-query",
        4,
        "Line 4 turns the query by the position that it is given. Is it given the right one?",
    ),
    Misconception(
        "the-key",
        5,
        "Line 5 turns the new keys only. The old ones were turned when they were new: should it "
        "happen twice?",
    ),
    Misconception(
        "the-values",
        7,
        "Line 7 stores values as they are. Do values carry a position?",
    ),
    Misconception(
        "the-mask",
        8,
        "Line 8 lets new token 0 see S + 1 tokens: those that were held, and itself. Is that too "
        "many?",
    ),
    Misconception(
        "the-lengths",
        2,
        "Line 2 counts the new tokens and those that are held. Where is the second number used, "
        "and where is it missing?",
    ),
    minutes=3,
)
