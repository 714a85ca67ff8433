"""Build beam search on a chain: hypotheses that finish, and scores that know their length."""

from functools import partial

import numpy as np

from headway.tasks.chapters.decoding import beam_found as found
from headway.tasks.chapters.decoding.beam_search import (
    ADDED,
    BY_LOGARITHMS,
    EARLY,
    FINISHED,
    LIVING,
    NEXT,
    OF_CHILDREN,
    OF_ENDS,
    OF_LENGTH,
    OFF,
    POSSIBLE,
    RANKED,
    RESULT,
    SCORED,
    SORTED,
    beam,
    beyond_the_end,
    few_words,
    narrowing,
    narrowing_for_good,
    of_one,
    one_child,
    one_child_that_lives,
    one_wider,
    places_held,
    twice_as_wide,
    unsorted,
    until_overtaken,
    without_the_last_ends,
)
from headway.tasks.chapters.decoding.draw import log_softmax
from headway.tasks.chapters.decoding.mistakes import (
    ANOTHER_BEGINNING_LIVES,
    AT_AN_EDGE,
    BEAM_OF_ANOTHER_WIDTH,
    CHOSEN_BY_THE_LAST_WORD,
    FINISHED_GOES_ON,
    FINISHED_TOO_EASILY,
    GREEDY,
    HYPOTHESES_LOST,
    IMPOSSIBLE_KEPT,
    IMPOSSIBLE_WORDS,
    LENGTH_TERM_MISTAKEN,
    LONGER_TEXT_MISSED,
    LOOKED_UP_ELSEWHERE,
    NOT_IN_THE_FORM,
    ONE_CHILD_EACH,
    OTHER_WORDS_THAN_CHOSEN,
    RESULTS_IN_ANOTHER_FORM,
    SCORE_OF_OTHER_WORDS,
    SUM_FOR_PRODUCT,
    UNDERFLOW,
    WRONG_WHERE_LENGTH_COUNTS,
)
from headway.tasks.engine.compare import close
from headway.tasks.engine.draw import draw_until
from headway.tasks.engine.mistakes import changed, seen
from headway.tasks.engine.task import Case, Task

ONE, SIZES, RARE = "a beam of one", "sizes at an edge", "words that cannot follow"


def beam_cases(rng: np.random.Generator) -> list[Case]:
    def draw(V, K, steps, alpha, often=0.0, sharp=1.5):
        """`often` is what the logit of the end gets besides."""
        end, start = map(int, rng.permutation(V)[:2])
        logits = sharp * rng.normal(size=(steps, V, V))
        logits[:, :, end] += often
        return log_softmax(logits), start, K, steps, end, alpha

    def telling(told, spared, draw):
        """A chain on which some mistakes come to something else, and others do not."""

        def suits(given):
            right = beam(*given)
            return all(wrong(*given) != right for wrong in told) and all(
                wrong(*given) == right for wrong in spared
            )

        return draw_until(suits, draw)

    def greedy_loses(*sizes):
        return draw_until(
            lambda given: of_one(*given)[0][0] != beam(*given)[0][0], partial(draw, *sizes)
        )

    def rarely(V, K, steps, few):
        """Half of the words cannot follow; `few` is whether there are fewer hypotheses than K."""
        while True:
            table, *rest = draw(V, K, steps, 0.5)
            table[rng.random(table.shape) < 0.5] = -np.inf
            table[:, np.arange(V), rng.permutation(V)] = -1.0
            given = log_softmax(table), *rest
            if (len(beam(*given)) < K) == few:
                return given

    return [
        Case(
            "a beam of three",
            *telling(OF_ENDS, EARLY, partial(greedy_loses, 6, 3, 5, 0.0, 0.5)),
            core=True,
        ),
        Case(
            "a beam of four, ends that come often",
            *telling(OF_CHILDREN, EARLY, partial(greedy_loses, 7, 4, 6, 0.0, 1.0)),
            core=True,
        ),
        Case(
            "means of logarithms",
            *telling((*BY_LOGARITHMS, *OFF), EARLY, partial(draw, 6, 3, 5, 1.0, 0.5)),
        ),
        Case(
            "a length that counts in part",
            *telling((*OF_LENGTH, few_words), (), partial(draw, 7, 4, 6, 0.6, 0.8)),
        ),
        Case(
            "a wide beam, half of the length",
            *telling((*OF_LENGTH, until_overtaken), (), partial(draw, 5, 6, 6, 0.5, 1.0)),
        ),
        Case("a beam of one", *draw(6, 1, 6, 0.0, -1.0), path=ONE),
        Case(
            "a beam of one, longer texts favored",
            *telling(OFF, (*EARLY, *BY_LOGARITHMS), partial(draw, 5, 1, 7, 1.0, 1.0)),
            path=ONE,
        ),
        Case(
            "more beams than words",
            *telling((), EARLY, partial(draw, 4, 9, 4, 0.0, 0.5)),
            path=SIZES,
        ),
        Case("one step", *draw(5, 3, 1, 0.0, 0.5), path=SIZES),
        Case("one step, the end first", *draw(5, 2, 1, 1.0, 6.0), path=SIZES),
        Case(
            "some words cannot follow",
            *telling((*OFF, *BY_LOGARITHMS), EARLY, partial(rarely, 5, 4, 4, False)),
            path=RARE,
        ),
        Case(
            "fewer hypotheses than beams",
            *telling((), EARLY, partial(rarely, 5, 8, 3, True)),
            path=RARE,
        ),
        Case("ends that hardly ever come", *draw(6, 3, 7, 0.0, -6.0)),
        Case("a long text", *draw(3, 2, 800, 1.0, -9.0, 0.3)),
    ]


beam_task = Task(
    id="14-decoding/beam",
    title="Beam search to the end",
    kind="build",
    points=3,
    minutes=30,
    answer="beam",
    cases=beam_cases,
    reference=beam,
    excused=("kind-of-numbers",),  # rounded logarithms are equal too often
    misconceptions=(
        UNDERFLOW.by(
            changed(beam, ADDED, f"math.log(math.exp(log_p) * math.exp({NEXT}) or 1e-300)"),
            changed(beam, POSSIBLE, "candidates = [c for c in candidates if math.exp(c[1]) > 0]"),
            only_at=("a long text",),
        ),
        NOT_IN_THE_FORM.by(shows=found.not_pairs),
        FINISHED_GOES_ON.by(beyond_the_end, shows=found.goes_on),
        OTHER_WORDS_THAN_CHOSEN.by(
            changed(
                beam, RESULT, "return [[[w for w in h[0] if w != end], h[1]] for h in scored[:K]]"
            ),
            shows=found.other_words,
        ),
        IMPOSSIBLE_KEPT.by(changed(beam, POSSIBLE, "pass"), shows=found.impossible),
        RESULTS_IN_ANOTHER_FORM.by(
            unsorted,
            changed(beam, RANKED, "scored.sort(key=lambda h: h[1])"),
            changed(
                beam,
                RESULT,
                "return scored[:1]",
                "return [[h[0], h[1] * len(h[0]) ** alpha] for h in scored[:K]]",
            ),
            shows=found.another_form,
        ),
        LOOKED_UP_ELSEWHERE.by(
            changed(beam, "ids[-1] if ids", "ids[0] if ids"), shows=found.looked_up_elsewhere
        ),
        SUM_FOR_PRODUCT.by(
            changed(beam, ADDED, f"(log_p or -1.0) * {NEXT}"), shows=found.sum_for_product
        ),
        LENGTH_TERM_MISTAKEN.by(
            changed(
                beam,
                SCORED,
                "log_p + alpha * len(ids)",
                "log_p / (len(ids) * alpha)",
                "float(log_p) / (len(ids) * alpha)",
            ),
            *(BY_LOGARITHMS[0], OFF[0]),
            shows=found.length_term,
        ),
        SCORE_OF_OTHER_WORDS.by(shows=found.score_of_other_words),
        GREEDY.by(
            of_one, changed(beam, LIVING, LIVING.replace("[:K]", "[:1]")), shows=found.greedy
        ),
        LONGER_TEXT_MISSED.by(EARLY[0], shows=found.ended_early),
        ONE_CHILD_EACH.by(
            one_child,
            one_child_that_lives,
            changed(
                beam,
                SORTED,
                f"{SORTED}\n"
                "        candidates = best_child_of_each(candidates) if t > 1 else candidates",
            ),
        ),
        BEAM_OF_ANOTHER_WIDTH.by(
            *(twice_as_wide, one_wider, narrowing, narrowing_for_good, places_held)
        ),
        HYPOTHESES_LOST.by(
            changed(beam, "c[0][-1] == end or t == steps", "t == steps"),
            without_the_last_ends,
            shows=found.lost,
        ),
        CHOSEN_BY_THE_LAST_WORD.by(
            changed(
                beam,
                SORTED,
                "candidates.sort(key=lambda c: -table[t - 1, [start, *c[0]][-2], c[0][-1]])",
            ),
            changed(beam, ADDED, NEXT),
        ),
        AT_AN_EDGE.by(
            only_at=(
                "a beam of one",
                "a beam of one, longer texts favored",
                "more beams than words",
                "one step",
                "one step, the end first",
            )
        ),
        seen(
            "few-ends-mistaken",
            "It goes wrong where hardly any text ends. What do you do in the last step with "
            "those that haven't?",
            only_at=("ends that hardly ever come",),
        ),
        IMPOSSIBLE_WORDS.by(only_at=("some words cannot follow", "fewer hypotheses than beams")),
        WRONG_WHERE_LENGTH_COUNTS.by(
            only_at=(
                "means of logarithms",
                "a length that counts in part",
                "a wide beam, half of the length",
            )
        ),
        FINISHED_TOO_EASILY.by(
            changed(
                beam,
                FINISHED,
                "finished += [c for c in candidates if c[0][-1] == end]\n"
                "        finished += candidates[:K] if t == steps else []",
            ),
            shows=found.finished_too_easily,
        ),
        seen(
            "ranked-apart",
            "A text of yours ends, or comes last, without being one of the K best continuations of "
            "its step. Which continuations do you rank together, and are some left out?",
            found.ranked_apart,
        ),
        ANOTHER_BEGINNING_LIVES.by(shows=found.another_beginning),
        seen(
            "better-text-missing",
            "All your texts finish as they should, with the right scores, but not all of the K "
            "best are there. At which step does it get lost?",
            found.better_text_missing,
        ),
    ),
    compare=close(atol=1e-6),
)
