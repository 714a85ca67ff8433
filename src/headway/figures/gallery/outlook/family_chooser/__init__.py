"""Figure: questions about a task, and what rules make of the answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from headway.figures.core.interactive import Interactive


@dataclass(frozen=True)
class Rule:
    """What to choose, and when; of several rules the first that fits decides.

    Attributes:
        choose: what is chosen, in a few words.
        why: the reason, in a sentence.
        when: question → the answers with which the rule fits; it fits always where a question is
            not named.
    """

    choose: str
    why: str
    when: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def fits(self, answers: Mapping[str, str]) -> bool:
        """Whether the rule fits these answers, one to each question."""
        return all(answers[question] in allowed for question, allowed in self.when.items())


def decide(rules: Sequence[Rule], answers: Mapping[str, str]) -> Rule:
    """The first rule that fits; the last one always does."""
    return next(rule for rule in rules if rule.fits(answers))


def family_chooser(
    questions: Mapping[str, Sequence[str]],
    decisions: Mapping[str, Sequence[Rule]],
    title: str,
    caption: str,
) -> Interactive:
    """A menu for each question, and below them what follows for each decision, with its reason.

    Args:
        questions: question → its answers; the first one is chosen at first.
        decisions: name of a decision → its rules; the last one fits always.
        title, caption: as printed.

    Raises:
        ValueError: if a question has fewer than two answers, a decision no rule that fits always,
            such a rule is not the last, or a rule names a question or an answer that is not there.
    """
    for question, options in questions.items():
        if len(options) < 2:
            raise ValueError(f"{question!r} needs two answers at least, got {list(options)}")
    for decision, rules in decisions.items():
        if [rule for rule in rules if not rule.when] != list(rules[-1:]):
            raise ValueError(f"the last rule of {decision!r}, and no other, must fit always")
        for rule in rules:
            for question, allowed in rule.when.items():
                if unknown := set(allowed) - set(questions.get(question, ())):
                    raise ValueError(
                        f"a rule of {decision!r} asks {question!r} for {sorted(unknown)[0]!r}, "
                        "which is no such question or answer"
                    )
    first = {question: options[0] for question, options in questions.items()}
    found = {decision: decide(rules, first) for decision, rules in decisions.items()}
    names = list(questions)
    return Interactive(
        script="family_chooser",
        data={
            "questions": [
                {"name": question, "options": list(options)}
                for question, options in questions.items()
            ],
            "decisions": [
                {
                    "name": decision,
                    "rules": [
                        {
                            "choose": rule.choose,
                            "why": rule.why,
                            "when": [
                                [names.index(q), [list(questions[q]).index(a) for a in allowed]]
                                for q, allowed in rule.when.items()
                            ],
                        }
                        for rule in rules
                    ],
                }
                for decision, rules in decisions.items()
            ],
        },
        title=title,
        caption=caption,
        alt=" ".join(f"{question}: {answer}." for question, answer in first.items())
        + " "
        + " ".join(f"{decision}: {rule.choose}." for decision, rule in found.items()),
        header=["decision", "when", "choose", "why"],
        rows=[
            [decision, in_words(rule), rule.choose, rule.why]
            for decision, rules in decisions.items()
            for rule in rules
        ],
        draw=lambda ax: draw_choices(ax, first, found),
        height=0.5 + 0.32 * (len(first) + len(found)),
    )


def in_words(rule: Rule) -> str:
    """When a rule fits."""
    asked = (f"{question}: {' or '.join(answers)}" for question, answers in rule.when.items())
    return "; ".join(asked) or "in all other cases"


def draw_choices(ax, answers, found) -> None:
    """The static picture: the first answers, and what follows from them."""
    lines = [(question, answer, "0.4") for question, answer in answers.items()]
    lines += [(decision, rule.choose, "C0") for decision, rule in found.items()]
    for i, (name, value, color) in enumerate(lines):
        ax.annotate(name, (0.48, i), ha="right", va="center", size=9, color="0.4")
        ax.annotate(value, (0.52, i), va="center", size=9, color=color,
                    weight="bold" if color == "C0" else "normal")  # fmt: skip
    ax.set(xlim=(0, 1), ylim=(len(lines) - 0.4, -0.6))
    ax.axis("off")
