"""The output that answers a prediction, folded until it is asked for.

A prediction is followed by the cell that shows what it asks about. Where no text stands between
them, the first output after the prediction gets a fold of its own, a native `<details>`. Whoever
opens the answer opens this fold, too (guess.js); the code stays in view.
"""

from docutils import nodes

from headway_book.predict import predict


class folded_output(nodes.General, nodes.Element):  # noqa: N801 - as docutils names nodes
    """What a cell gives, folded."""


def fold_outputs(app, doctree):
    """Fold the output that comes next after each prediction of a page."""
    for prediction in doctree.findall(predict):
        if output := output_after(prediction):
            fold = folded_output("", *output.children, answers=prediction["name"])
            output.children = []
            output.append(fold)


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
    self.body.append(
        f'<details class="hw-output" data-answers="{node["answers"]}">'
        "<summary>Show what comes out</summary>\n"
    )


def depart(self, node):
    self.body.append("</details>\n")


def setup(app):
    app.add_node(folded_output, html=(visit, depart))
    app.connect("doctree-read", fold_outputs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
