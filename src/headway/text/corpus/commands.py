"""Commands to a computer: small grammars that show what each kind of model can see.

`SHOW` needs one word of context, `CHECK` two, `CHECK_LOG` eight, and `CHECK_LOGS` is
`CHECK_LOG` with many nouns, verbs and words in between, so that no chain of a low order
resolves it: between the noun that decides and the verb *ran* stand five to ten others.
(The first three follow B. Rohrer, "Transformers from Scratch", 2021.)

    CHECK_LOGS.sample(generator(seed=0), 400)

`check_logs` draws from the same sentences with a fixed share of each kind, opens some of them with
a word or three, and has a writer who sometimes slips.
"""

import numpy as np

from headway.text.corpus.grammar import Grammar
from headway.text.corpus.split import choose, shuffled

SHOW = Grammar(
    {
        "START": "show me my WHAT please",
        "WHAT": {"directories": 0.2, "files": 0.3, "photos": 0.5},
    }
)

CHECK = Grammar(
    {
        "START": "check whether the WHAT please",
        "WHAT": {"battery ran down": 0.4, "program ran": 0.6},
    }
)

CHECK_LOG = Grammar(
    {
        "START": (
            "check the program log and find out whether it ran please",
            "check the battery log and find out whether it ran down please",
        )
    }
)

# How a command of `check_logs` may open, so that its noun stands at no fixed place.
OPENERS = ("", "first", "now quickly", "when you can")

# What runs down, and what only runs.
RUN_DOWN = ("battery", "phone", "clock", "laptop", "torch", "radio", "engine", "watch")
RUN = ("program", "script", "server", "query", "loop", "test", "job", "service")

CHECK_LOGS = Grammar(
    {
        "START": (
            "VERB the RUN_DOWN REPORT MANNER and ASK it ran down please",
            "VERB the RUN REPORT MANNER and ASK it ran please",
        ),
        "VERB": ("check", "open", "read", "see", "search", "scan"),
        "RUN_DOWN": RUN_DOWN,
        "RUN": RUN,
        "REPORT": ("log", "file", "report", "page", "record", "history"),
        "MANNER": ("", "very carefully", "before lunch", "as you always do", "once more today"),
        "ASK": ("find out whether", "tell me if", "say whether"),
    }
)


# The same sentences, by whether their noun runs down.
_KINDS = {
    start == 0: Grammar({**CHECK_LOGS.rules, "START": expansion})
    for start, expansion in enumerate(CHECK_LOGS.rules["START"])
}


def check_logs(
    rng: np.random.Generator, count: int, run_down: float = 0.5, slips: float = 0.0
) -> list[str]:
    """Sentences of `CHECK_LOGS` behind one of `OPENERS`, a fixed number of each kind, mixed.

    Args:
        rng: the source of chance.
        count: how many sentences.
        run_down: share of the sentences whose noun is one of `RUN_DOWN`, rounded to a whole number.
        slips: probability that a sentence ends as the other kind should.

    Returns:
        list of `count` sentences, words parted by single spaces.
    """
    often = round(run_down * count)
    texts = []
    for kind in shuffled(rng, [True] * often + [False] * (count - often)):
        (text,) = _KINDS[kind].sample(rng, 1)
        if rng.random() < slips:
            text = text.replace(" down ", " ") if kind else text.replace(" ran ", " ran down ")
        texts.append(f"{choose(rng, OPENERS)} {text}".strip())
    return texts
