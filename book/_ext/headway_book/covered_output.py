"""The output that answers a prediction: in sight, with its numbers covered until one has guessed.

A prediction is followed by the cell that shows what it asks about. Where no text stands between
them, the first output after the prediction is marked, and guess.js covers what would give the
answer away (cells of tables, titles, verdicts, printed lines), until the reader has guessed or
opened the answer. Without scripts, and on paper, nothing is covered.
"""

from docutils import nodes

from headway_book.predict import predict


class covered_output(nodes.General, nodes.Element):  # noqa: N801 - as docutils names nodes
    """What a cell gives, in answer to a prediction."""


def mark_outputs(app, doctree):
    """Mark the output that comes next after each prediction of a page."""
    for prediction in doctree.findall(predict):
        if output := output_after(prediction):
            marked = covered_output("", *output.children, answers=prediction["name"])
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
    self.body.append(f'<div class="hw-output" data-answers="{node["answers"]}">\n')


def depart(self, node):
    self.body.append("</div>\n")


def setup(app):
    app.add_node(covered_output, html=(visit, depart))
    app.connect("doctree-read", mark_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
