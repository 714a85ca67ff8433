"""The output that answers a prediction, behind a panel with the question until one has guessed.

A prediction is followed by the cell that shows what it asks about. Where no text stands between
them, the panel hides the first output after the prediction, until the reader has guessed or opened
the answer (guess.js). Without scripts, and on paper, nothing is hidden.
"""

from docutils import nodes

from headway_book.predict import predict


class covered_output(nodes.General, nodes.Element):  # noqa: N801 - as docutils names nodes
    """What a cell gives, in answer to a prediction; the panel in front of it comes first."""


class veil(nodes.General, nodes.TextElement):  # noqa: N801
    """The panel: the question once more."""


def mark_outputs(app, doctree):
    """Mark the output that comes next after each prediction of a page."""
    for prediction in doctree.findall(predict):
        if output := output_after(prediction):
            question = [node.deepcopy() for node in prediction.children[0].children]
            front = veil("", "", *question)
            marked = covered_output("", front, *output.children, answers=prediction["name"])
            output.children = []
            output.append(marked)


def output_after(prediction: predict) -> nodes.container | None:
    """The first output of the cells that follow a prediction at once, if there is one."""
    siblings = prediction.parent.children
    for cell in siblings[siblings.index(prediction) + 1 :]:
        if cell.get("nb_element") != "cell_code":
            return None
        if cell.children and cell.children[-1].get("nb_element") == "cell_code_output":
            return cell.children[-1]
    return None


def visit(self, node):
    self.body.append(f'<div class="hw-output hw-covered" data-answers="{node["answers"]}">\n')


def depart(self, node):
    self.body.append("</div>\n")


def visit_veil(self, node):
    self.body.append('<div class="hw-veil"><p>')


def depart_veil(self, node):
    self.body.append(
        "</p>\n<p>The answer is here, once you’ve guessed. "
        '<button type="button">Show it now</button></p></div>\n'
    )


def setup(app):
    app.add_node(covered_output, html=(visit, depart))
    app.add_node(veil, html=(visit_veil, depart_veil))
    app.connect("doctree-read", mark_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
