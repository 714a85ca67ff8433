"""Find answers that are equal to the course's solution, which anybody can read.

Two answers are equal if they differ only in layout, comments, docstrings, grouping brackets and
names. That says something only of answers that are long enough: what a solution adds to the starter
code is counted in tokens, and a student is named if the equal answers add enough together. The
mended line of a debug task and a predicted number are too short for it.
"""

from rapidfuzz.distance import LCSseq

from headway.grading.desk.answers import ClassAnswers
from headway.grading.desk.tokens import form_of, tokens_of

LEAST_OF_ANSWER, LEAST_OF_STUDENT = 20, 60  # tokens that are not in the starter code


def equal_to_solution(of_class: ClassAnswers) -> dict[str, list[str]]:
    """Student → the tasks whose answers are equal to the solution, for students with enough."""
    known = of_class.handed_out
    forms = {
        (name, form_of(solution, known)): new
        for name, solutions in of_class.published.items()
        for solution in solutions
        if (new := added(solution, of_class.given.get(name, ""))) >= LEAST_OF_ANSWER
    }
    tasks = {name for name, _ in forms}
    found = {}
    for student, answers in of_class.answers.items():
        equal = {
            name: forms[key]
            for name, code in answers.items()
            if name in tasks and (key := (name, form_of(code, known))) in forms
        }
        if sum(equal.values()) >= LEAST_OF_STUDENT:
            found[student] = list(equal)
    return found


def added(solution: str, given: str) -> int:
    """How many tokens a solution has that are not in the starter code, in the same order."""
    kinds, before = ([token.kind for token in tokens_of(code)] for code in (solution, given))
    return len(kinds) - LCSseq.similarity(kinds, before)
