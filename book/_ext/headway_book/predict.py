"""Directive `{predict}`: a question to answer first, and the answer folded below it.

    :::{predict} What comes out if you multiply by the vector (½, 0, ½)?
    The answer, with **markup**, math and code.
    :::

It becomes a native `<details>`, which works from the keyboard and without scripts; on paper the
answer is open (headway.js).

Where the answer is a number or one of a few choices, the reader can give a guess and sees how far
off it was. Nothing is stored or sent; without scripts the question and the fold remain.

    :::{predict} How many features does it have?
    :number: 9
    :unit: features
    Nine: each word makes one.
    :::

    :::{predict} Which maker is in the middle?
    :choices: Acura | Honda | VW
    :right: Honda
    Honda is the mean of the other two.
    :::

`:within:` says by how much a number may be off and still be right. In the output of the cell that
follows, the answer is covered: `covered_output`.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from headway_book.guess import Choice, Number, form


class predict(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes in lower case
    """The whole fold."""


class predict_question(nodes.General, nodes.TextElement):  # noqa: N801
    """The line that is always visible."""


class predict_answer(nodes.General, nodes.Element):  # noqa: N801
    """What is folded."""


class PredictDirective(SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {
        "number": float,
        "unit": directives.unchanged_required,
        "within": float,
        "choices": directives.unchanged_required,
        "right": directives.unchanged_required,
    }

    def run(self):
        if not self.content:
            raise self.error(
                "{predict} has a question but no answer. Write the answer below the first line."
            )
        inline, messages = self.state.inline_text(self.arguments[0], self.lineno)
        answer = predict_answer()
        self.state.nested_parse(self.content, self.content_offset, answer)
        name = f"predict-{self.env.new_serialno('predict')}"
        fold = predict("", predict_question("", "", *inline), answer, name=name, guess=self.guess())
        self.set_source_info(fold)
        return [fold, *messages]

    def guess(self) -> Number | Choice | None:
        """What the reader can guess, or None where the answer is no number and no choice."""
        given = self.options
        if "number" in given and "choices" not in given and "right" not in given:
            return Number(given["number"], given.get("unit", ""), given.get("within", 0.0))
        if "choices" in given and "right" in given and not {"number", "unit", "within"} & {*given}:
            choices = tuple(choice.strip() for choice in given["choices"].split("|"))
            if len(set(choices)) == len(choices) > 1 and given["right"] in choices:
                return Choice(choices, given["right"])
            raise self.error(
                f"{{predict}} has the choices {', '.join(choices)}, and {given['right']} is right. "
                "Give two choices at least, all different, and the right one among them."
            )
        if given:
            raise self.error(
                "{predict} takes :number: (with :unit: and :within:), or :choices: and :right:, "
                f"got {', '.join(sorted(given))}."
            )
        return None


def visit_predict(self, node):
    if node["guess"]:
        self.body.append('<div class="hw-ask">\n')
    else:
        self.body.append(f'<details class="hw-predict" id="{node["name"]}">\n')


def depart_predict(self, node):
    self.body.append("</details>\n" + ("</div>\n" if node["guess"] else ""))


LABEL = '<span class="hw-label">Predict first</span> '


def visit_question(self, node):
    self.body.append(('<p class="hw-asked">' if node.parent["guess"] else "<summary>") + LABEL)


def depart_question(self, node):
    fold = node.parent
    if fold["guess"]:
        self.body.append(
            f"</p>\n{form(fold['guess'], fold['name'])}"
            f'<details class="hw-predict" id="{fold["name"]}"><summary>Answer'
        )
    self.body.append("</summary>\n")


def visit_answer(self, node):
    self.body.append('<div class="hw-predict-answer">\n')


def depart_answer(self, node):
    self.body.append("</div>\n")


def setup(app):
    app.add_node(predict, html=(visit_predict, depart_predict))
    app.add_node(predict_question, html=(visit_question, depart_question))
    app.add_node(predict_answer, html=(visit_answer, depart_answer))
    app.add_directive("predict", PredictDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
