"""Directive `{predict}`: a question to answer first, and the answer folded below it.

    :::{predict} What comes out if you multiply by the vector (½, 0, ½)?
    The answer, with **markup**, math and code.
    :::

It becomes a native `<details>`, which works from the keyboard and without scripts; on paper the
answer is open (headway.js).
"""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective


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

    def run(self):
        if not self.content:
            raise self.error(
                "{predict} has a question but no answer. Write the answer below the first line."
            )
        inline, messages = self.state.inline_text(self.arguments[0], self.lineno)
        answer = predict_answer()
        self.state.nested_parse(self.content, self.content_offset, answer)
        fold = predict("", predict_question("", "", *inline), answer)
        self.set_source_info(fold)
        return [fold, *messages]


def visit_predict(self, node):
    self.body.append('<details class="hw-predict">\n')


def depart_predict(self, node):
    self.body.append("</details>\n")


def visit_question(self, node):
    self.body.append('<summary><span class="hw-label">Predict first</span> ')


def depart_question(self, node):
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
