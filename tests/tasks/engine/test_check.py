import tracemalloc
from html.parser import HTMLParser

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from nbgrader.utils import determine_grade
from nbgrader.validator import Validator

from headway.tasks.check import MIME, check
from headway.tasks.engine.card import _picture, card_html, card_text
from headway.tasks.engine.find import UnknownTaskError, find_task, tasks_of
from headway.tasks.engine.judge import judge
from headway.tasks.engine.mistakes import Misconception
from headway.tasks.engine.task import Case, Task


def test_a_check_gives_points_and_shows_a_card_that_names_a_known_mistake(capsys):
    assert check("01-one-hot/dot", 2) == 1.0
    assert "✓ Passed: " in capsys.readouterr().out
    points = check("01-one-hot/dot", -2)
    assert points == 0
    assert points.verdict.misconception.name == "signs-lost"
    said = capsys.readouterr()
    assert "What is −3 times x" in said.out
    assert not said.err


def test_of_an_unknown_mistake_nothing_is_said_and_the_value_is_not_given_away(capsys):
    points = check("01-one-hot/dot", 5)
    assert points == 0
    said = capsys.readouterr().out
    assert "not the value asked for" in said
    assert "known mistake" not in said
    assert " 2" not in said.replace("of 1 point", "")
    assert " 2" not in card_html(points.verdict).split("</style>")[1]


def test_a_card_for_a_terminal_lists_the_cases():
    text = card_text(judge(find_task("01-one-hot/lookup"), lambda ids, table: table[ids]))
    assert "◐ Partly: The product without the product, 1.75 of 2 points" in text
    assert "✗ a negative id" in text
    assert "✓ one sentence" in text


@pytest.mark.parametrize(("given", "guess"), [("01-one-hot/lokup", "01-one-hot/lookup"), (3, "")])
def test_a_misspelled_task_names_the_nearest(given, guess):
    with pytest.raises(UnknownTaskError, match=f"no task {given!r}.*{guess}"):
        check(given, 1)


@pytest.mark.parametrize("given", ["02-one-hot", "../etc", None])
def test_an_unknown_assignment_lists_those_there_are(given):
    with pytest.raises(UnknownTaskError, match="01-one-hot"):
        tasks_of(given)


def test_a_bonus_task_adds_no_points():
    assert check("01-one-hot/pairs", lambda ids, size: np.zeros((size, size))) == 0
    points = check("01-one-hot/pairs", find_task("01-one-hot/pairs").reference)
    assert points == 0
    assert points._repr_mimebundle_()[MIME]["score"] == 4


@pytest.fixture
def notebook():
    """A notebook that checks an answer in each way that an answer may come out."""
    answers = {
        "right": ('check("01-one-hot/dot", 2)', 1),
        "wrong": ('check("01-one-hot/dot", -2)', 1),
        "part": ('check("01-one-hot/lookup", lambda ids, table: table[ids])', 2),
        "untouched": ('check("01-one-hot/lookup", lambda ids, table: ...)', 2),
        "noisy": (
            "import sys\n\ndef f(*a):\n    print('x', file=sys.stderr)\n    return [][0]\n\n"
            'check("01-one-hot/lookup", f)',
            2,
        ),
        "bonus": ('check("01-one-hot/pairs", lambda i, n: 1)', 0),
        "bonus-left": ('def f(i, n):\n    ...\n\ncheck("01-one-hot/pairs", f)', 0),
        "undefined": ('check("01-one-hot/dot", nothing)', 1),
    }
    cells = [nbformat.v4.new_code_cell("from headway.tasks.check import check")]
    for name, (source, points) in answers.items():
        cell = nbformat.v4.new_code_cell(source)
        cell.metadata["nbgrader"] = {"grade": True, "points": points, "grade_id": name}
        cells.append(cell)
    made = nbformat.v4.new_notebook(cells=cells)

    def run() -> dict:
        NotebookClient(made, kernel_name="python3", allow_errors=True).execute()
        return {cell.metadata.nbgrader.grade_id: cell for cell in made.cells[1:]}

    return run


@pytest.mark.jupyter
def test_nbgrader_alone_reads_the_right_score_from_a_check(notebook):
    notebook = notebook()
    scores = {name: determine_grade(cell) for name, cell in notebook.items()}
    assert scores == {
        "right": (1.0, 1.0),
        "wrong": (0, 1.0),
        "part": (1.75, 2.0),
        "untouched": (0, 2.0),
        "noisy": (0, 2.0),
        "bonus": (0, 0),
        "bonus-left": (0, 0),
        "undefined": (0, 1.0),
    }
    for name, cell in notebook.items():
        kinds = [output.output_type for output in cell.outputs]
        # Where everything is run, an unsolved check stops nothing.
        assert kinds == ["error" if name == "undefined" else "execute_result"], name
    for name in ("right", "wrong", "part", "untouched", "noisy", "bonus"):
        cards = [o.data for o in notebook[name].outputs if MIME in o.get("data", {})]
        assert len(cards) == 1, name
        assert "hw-card" in cards[0]["text/html"]


@pytest.mark.jupyter
def test_nbgrader_alone_says_while_it_validates_why_a_check_fails(notebook, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")  # as nbgrader sets it
    notebook = notebook()
    validator = Validator()
    failed = [
        name
        for name, cell in notebook.items()
        if validator._get_failed_cells(nbformat.v4.new_notebook(cells=[cell]))
    ]
    assert failed == ["wrong", "part", "untouched", "noisy", "bonus", "undefined"]
    reasons = {name: validator._extract_error(notebook[name]) for name in failed}
    assert "A right angle by hand: 0 of 1 points." in reasons["wrong"]
    assert "signs-lost: " in reasons["wrong"]
    assert "1.75 of 2 points.\nA negative id: returns a value" in reasons["part"]
    assert "not filled in" in reasons["untouched"]
    assert "IndexError" in reasons["noisy"]
    assert "0 of 4 bonus points." in reasons["bonus"]
    assert max(len(line) for name in failed[:-1] for line in reasons[name].split("\n")) <= 80


@pytest.mark.jupyter
def test_a_model_is_checked_by_its_own_cell_as_it_was_run_last(tmp_path):
    """The words of a name that another cell gives, and no error of a function that is found."""
    model = "def fit(text, seed):\n    return helper(text)\n\nmodel = fit, fit"
    sources = [
        "from headway.tasks.check import check\n\ndef helper(text):\n    return {}",
        "model = helper, helper",
        model,
        'check("20-capstone/model", model)',
        "model = fit, fit",
        'check("20-capstone/model", model)',
        "model = ...",
        'check("20-capstone/model", model)',
    ]
    made = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
    NotebookClient(made, kernel_name="python3").execute()
    cards = [o.data[MIME] for c in made.cells for o in c.outputs if MIME in o.get("data", {})]
    assert not any(o.get("name") == "stderr" for cell in made.cells for o in cell.outputs)
    assert [card["misconception"] for card in cards] == ["helper-elsewhere"] * 2 + [None]
    uses = [card["reason"].split("uses ")[1].split(",")[0] for card in cards[:2]]
    assert uses == ["helper", "fit"]
    assert cards[2]["status"] == "untouched"


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)


def test_a_card_holds_nothing_of_an_answer_that_a_browser_would_run():
    payload = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    task = Task(
        id="00-test/payload",
        title="Payload",
        kind="build",
        points=1,
        minutes=1,
        answer="f",
        cases=lambda rng: [Case("words", "in", core=True), Case("more")],
        reference=lambda *args: ["a", "b"],
        misconceptions=(Misconception("never", lambda *args: 0, "Never?"),),
    )

    def answer(*args):
        print(payload)
        return [payload, payload]

    def raising(*args):
        raise ValueError(payload)

    for wrong in (answer, raising, {"a": payload}):
        parser = Tags()
        parser.feed(card_html(judge(task, wrong)))
        assert "section" in parser.seen
        assert not {"script", "img"} & parser.seen


def test_a_picture_marks_the_numbers_that_differ():
    task = find_task("01-one-hot/matmul")
    html = card_html(judge(task, lambda A, B: task.reference(A, B) + np.eye(*(len(A), B.shape[1]))))
    assert "yours, shape (2, 4)" in html
    assert html.count('class="hw-off"') == 4  # two on the diagonal, in both grids


def test_a_long_text_in_a_list_does_not_make_a_picture_of_as_many_long_texts():
    task = find_task("01-one-hot/encoder")
    tracemalloc.start()
    html = card_html(judge(task, lambda sentence, words: ["x" * 300_000] + [0] * 300))
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert "<table>" not in html
    assert "<table>" in card_html(judge(task, lambda sentence, words: ["x"] * 5))


def test_a_picture_of_a_long_array_shows_the_rows_and_columns_that_differ():
    expected = np.arange(300.0).reshape(20, 15)
    got = expected.copy()
    got[13, 11] += 1
    html = _picture(got, expected)
    assert "yours, shape (20, 15), 8 of 20 rows, 8 of 15 columns" in html
    assert '<th scope="row">13</th>' in html
    assert '<th scope="col">11</th>' in html
    assert html.count('class="hw-off"') == 2


def source(text: str) -> dict:
    """The globals of a notebook whose cells hold this code."""
    names = {}
    exec(text, names)
    return names


def test_an_answer_that_uses_an_earlier_one_sends_there_first(capsys):
    unfinished = source(
        "def one_hot(ids, size): ...\ndef f(ids, size): return one_hot(ids, size).T"
    )
    wrong = source(
        "def one_hot(ids, size): return 0\ndef f(ids, size): return one_hot(ids, size).T"
    )
    for names, said in (
        (unfinished, "It uses one_hot, which is not filled in yet: begin there."),
        (wrong, "It uses one_hot, which does not pass its own check: look there first."),
    ):
        reason = check("01-one-hot/pairs", names["f"]).verdict.reason
        assert said in reason
        assert reason[reason.index(said) - 2] in ".?!", "the sentence before it ends"


def test_a_method_of_an_earlier_answer_s_name_is_not_that_answer():
    names = source(
        "def one_hot(ids, size): return 0\ndef f(ids, size): return ids.one_hot(ids, size)"
    )
    assert "It uses" not in check("01-one-hot/pairs", names["f"]).verdict.reason


MERGE_IN_PLACE = """
def merge(ids, pair, new):
    i = 0
    while i < len(ids) - 1:
        if ids[i : i + 2] == list(pair):
            ids[i : i + 2] = [new]
        i += 1
    return ids
"""


def test_an_earlier_answer_that_only_changes_its_arguments_is_looked_at_last():
    names = source(f"{MERGE_IN_PLACE}def train(words, count): return [merge([1], (1, 1), count)]")
    reason = check("05-tokens/train", names["train"]).verdict.reason
    assert "look here first, then there" in reason


def test_who_lets_an_earlier_answer_change_the_arguments_looks_there_first():
    names = source(f"""{MERGE_IN_PLACE}
from headway.tasks.chapters.tokens.train import train as right

def train(words, count):
    merges = right(words, count)
    for ids, _ in words:
        merge(ids, merges[0] if merges else (0, 0), 256)
    return merges
""")
    reason = check("05-tokens/train", names["train"]).verdict.reason
    assert "merge, which does not pass its own check: look there first" in reason


def test_a_common_error_is_explained_behind_its_own_words():
    def wrong(A, B):
        nothing = None
        return nothing[0]

    reason = judge(find_task("01-one-hot/matmul"), wrong).reason
    assert "'NoneType' object is not subscriptable. Something that the code uses is None" in reason
