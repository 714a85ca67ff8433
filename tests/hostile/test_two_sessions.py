"""Attacks on a model that is fitted in one session and predicts in another: nothing is gained.

What an attack finds it tells by raising it, so that its words arrive here.
"""

import inspect
import textwrap

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from headway.grading.allowance import Allowance
from headway.grading.execution.client import NoAnswer
from headway.grading.execution.conversation import AnswerLost
from headway.grading.execution.executor import grade_notebook
from headway.grading.execution.two_sessions import TwoSessions
from headway.tasks.chapters.capstone import counting
from headway.tasks.engine.own_cell import Cell
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text import Budget

BUDGET = Budget(numbers=100, seconds=20, characters=4_000)
TEXT = np.frombuffer(b"the text to learn from, and no other text " * 9, dtype=np.uint8)
ROWS = np.array([[*b"qzxvkj"], [*b"jkwqzy"]], dtype=np.uint8)
HONEST = """
import numpy as np

def fit(text, seed):
    return {"shares": (np.bincount(text, minlength=256) + 1.0).astype(np.float32)}

def predict(numbers, seen):
    shares = numbers["shares"] / numbers["shares"].sum()
    return np.repeat(shares[None], len(seen), axis=0)

model = fit, predict
"""
ROOMY = Budget(numbers=256, seconds=20, characters=4_000)


@pytest.fixture
def outcomes(sessions):
    """What comes of a cell: outcomes(source, budget=…, cases=1)."""

    def ask(source, budget=ROOMY, count=1, left=120.0, elsewhere=(), again=False):
        cases = [Case(str(n), TEXT.copy(), 7, ROWS.copy(), budget) for n in range(count)]
        cell = Cell(source, elsewhere=frozenset(elsewhere).__contains__)
        asked = TwoSessions(sessions, Allowance(), lambda: left, cell)
        found = asked.outcomes(cases)
        return asked.outcomes(cases) if again else found

    return ask


def attack(fit="pass", predict="pass", before=""):
    """The honest cell with something in front of it, and in front of what its functions do."""
    source = HONEST.replace("    return {", textwrap.indent(fit, "    ") + "\n    return {")
    shares = "    shares = numbers"
    source = source.replace(shares, textwrap.indent(predict, "    ") + "\n" + shares)
    return before + "\n" + source


def test_an_honest_model_is_measured_as_in_the_notebook(outcomes):
    (outcome,) = outcomes(HONEST)
    shares = np.bincount(TEXT, minlength=256) + 1
    np.testing.assert_allclose(
        outcome.value["bits"], -np.log2(shares / shares.sum())[ROWS[:, 1:]], rtol=1e-5
    )
    assert outcome.value["numbers"] == 256


PLACES = """
import os, pathlib
places = ["/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), os.getcwd()]
places += [p for p in os.environ.get("PATH", "").split(":")] + list(__import__("sys").path)
"""
LEAVE = """
for place in places:
    try:
        pathlib.Path(place, "hw-left").write_bytes(bytes(text))
    except OSError:
        pass
"""
FIND = """
found = [place for place in places if pathlib.Path(place, "hw-left").exists()]
raise RuntimeError(f"found {found}")
"""


def test_files_that_fit_leaves_are_gone_when_it_comes_to_predict(outcomes):
    (outcome,) = outcomes(attack(LEAVE, FIND, before=PLACES))
    assert outcome == Raised("RuntimeError", "found []")


def test_names_and_modules_that_fit_changes_are_as_they_were(outcomes):
    fit = "global kept\nkept = bytes(text)\nnp.kept = kept\nimport builtins; builtins.kept = kept"
    predict = (
        "import builtins\nfound = [hasattr(np, 'kept'), hasattr(builtins, 'kept'), "
        "'kept' in globals()]\nraise RuntimeError(f'found {found}')"
    )
    (outcome,) = outcomes(attack(fit, predict))
    assert outcome == Raised("RuntimeError", "found [False, False, False]")


LISTEN = """
import os, socket
if not os.fork():
    os.setsid()
    listening = []
    for family, place in ((socket.AF_INET, ("127.0.0.1", 45671)), (socket.AF_UNIX, "\\0hw-left")):
        try:
            one = socket.socket(family)
            one.bind(place); one.listen()
            listening.append(one)
        except OSError:
            pass
    while True:
        for one in listening:
            one.settimeout(0.1)
            try:
                one.accept()[0].sendall(bytes(text))
            except OSError:
                pass
"""
KNOCK = """
import os, socket
found = []
for family, place in ((socket.AF_INET, ("127.0.0.1", 45671)), (socket.AF_UNIX, "\\0hw-left")):
    try:
        one = socket.socket(family)
        one.settimeout(1)
        one.connect(place)
        found.append(place)
    except OSError:
        pass
mine = os.getpid()
alive = [p for p in os.listdir("/proc") if p.isdecimal()]
raise RuntimeError(f"found {found}; few alive: {len(alive) <= 4}")
"""


def test_a_process_that_fit_leaves_is_gone_when_it_comes_to_predict(outcomes):
    (outcome,) = outcomes(attack(LISTEN, KNOCK))
    assert outcome == Raised("RuntimeError", "found []; few alive: True")


LOOK = """
with open("/proc/self/maps") as file:
    areas = [line.split() for line in file]
found, read = 0, 0
with open("/proc/self/mem", "rb", buffering=0) as memory:
    for place, rights, *_, name in areas:
        start, end = (int(x, 16) for x in place.split("-"))
        if not rights.startswith("rw") or name in ("[vvar]", "[vsyscall]"):
            continue
        memory.seek(start)
        backwards = memory.read(end - start)[::-1]
        found += sum(backwards.count(word) for word in (b"jkvxzq", b"yzqwkj"))
        read += len(backwards)
raise RuntimeError(f"found {found}; searched: {read > 10_000_000}")
"""


@pytest.mark.parametrize("where", ["fit", "predict"])
def test_the_texts_are_nowhere_in_memory_before_they_are_predicted(where, outcomes):
    """It looks for them backwards, or it would find what it looks for."""
    (outcome,) = outcomes(attack(**{where: LOOK}))
    assert outcome == Raised("RuntimeError", "found 0; searched: True")


def test_whoever_looks_into_memory_finds_what_is_there(outcomes):
    """The search is a search: the same one finds the text that was given."""
    word = "the text to learn"[::-1]
    (outcome,) = outcomes(attack(LOOK.replace("jkvxzq", word)))
    assert outcome.message.endswith("searched: True")
    assert not outcome.message.startswith("found 0;")


def test_a_cell_that_is_too_long_is_not_run(outcomes):
    source = HONEST + "#" * ROOMY.characters
    (outcome,) = outcomes(source)
    assert outcome.value["refused"][0] == "a long cell"


@pytest.mark.parametrize(
    ("numbers", "kind"),
    [
        ('{"w": np.zeros(257, np.float32)}', "too many numbers"),
        ("{str(n): np.zeros(1, np.float32) for n in range(201)}", "names of arrays"),
        ('{"w" * 100_000: np.zeros(1, np.float32)}', "names of arrays"),
        ('{"w": np.zeros((0, 99), np.float32)}', "numbers that are not finite"),
        ('{"w": np.full(9, np.nan, np.float32)}', "numbers that are not finite"),
        ('{"w": text.tobytes().decode()}', "no dictionary of arrays"),
        ("[[[[1.0]]]]", "no dictionary of arrays"),
    ],
)
def test_numbers_that_are_no_model_are_refused_by_name(numbers, kind, outcomes):
    (outcome,) = outcomes(HONEST.replace("    return {", f"    return {numbers}\n    return {{", 1))
    assert outcome.value["refused"][0] == kind


@pytest.mark.parametrize(
    "numbers",
    [
        '{"w": np.zeros(3_000_000, np.float32)}',
        '{"w": np.array([print, text], dtype=object)}',
        '{"w": type("Array", (np.ndarray,), {})(9, np.float32)}',
        "[0] * 500_000",
        "type('Lies', (dict,), {})()",
        '{"w": np.zeros(9, "M8[s]")}',
    ],
)
def test_what_is_no_plain_data_or_too_much_of_it_does_not_arrive(numbers, outcomes):
    (outcome,) = outcomes(HONEST.replace("    return {", f"    return {numbers}\n    return {{", 1))
    assert isinstance(outcome, Raised)
    assert outcome.error == "UnplainError"


@pytest.mark.parametrize(
    ("gives", "kind"),
    [
        ("np.full((len(seen), 256), 1.0)", "sums that are not one"),
        ("np.full((len(seen), 256), np.nan)", "no probabilities"),
        ("np.eye(256)[[0] * len(seen)] * 2 - np.eye(256)[[1] * len(seen)]", "no probabilities"),
        ("np.eye(256)[[0] * len(seen)]", "impossible bytes"),
        ("np.full((len(seen), 512), 1 / 512)", "another shape"),
        ("[[1 / 256] * 256] * len(seen)", "another shape"),
    ],
)
def test_faked_probabilities_are_refused_by_name(gives, kind, outcomes):
    (outcome,) = outcomes(attack(predict=f"return {gives}"))
    assert outcome.value["refused"][0] == kind


SHORT = Budget(numbers=256, seconds=1, characters=4_000)


@pytest.mark.parametrize("where", ["fit", "predict"])
def test_who_never_ends_is_stopped_and_told_where(where, outcomes):
    with pytest.raises(AnswerLost, match=f"{where} needs more than the 1 seconds"):
        outcomes(attack(**{where: "while True: pass"}), SHORT)


@pytest.mark.full
def test_processes_beside_it_are_counted_together(outcomes):
    several = "import os\nfor _ in range(3):\n    os.fork()\nwhile True: pass"
    with pytest.raises(AnswerLost, match="fit needs more than the 1 seconds"):
        outcomes(attack(several), SHORT)


@pytest.mark.parametrize("end", ["import os\nos._exit(0)", "import os\nos.kill(os.getpid(), 9)"])
def test_who_ends_the_process_has_no_answer(end, outcomes):
    with pytest.raises(AnswerLost, match="ended the process"):
        outcomes(attack(predict=end))


def test_memory_is_limited(outcomes):
    hungry = "kept = []\nwhile True:\n    kept.append(np.ones(1 << 22))"
    try:
        (outcome,) = outcomes(attack(hungry))
    except AnswerLost as lost:
        assert "memory" in str(lost)  # noqa: PT017 - either of two endings is right
    else:
        assert outcome.error in ("MemoryError", "_ArrayMemoryError")


def test_what_is_refused_once_is_not_tried_again(outcomes):
    source = attack('raise RuntimeError("once")')
    first, second, third = outcomes(source, count=3)
    assert first is second is third
    assert first == Raised("RuntimeError", "once")


def test_a_second_call_that_is_stopped_takes_nothing_from_the_first(sessions):
    left = iter([60.0, 60.0, 1.0, 1.0])
    case = Case("one", TEXT.copy(), 7, ROWS.copy(), ROOMY)
    source = attack("import time\ntime.sleep(2)")
    asked = TwoSessions(sessions, Allowance(), lambda: next(left), Cell(source))
    (first,) = asked.outcomes([case])
    assert isinstance(first, Returned)
    again = asked.outcomes([case])
    assert [outcome.error for outcome in again] == ["TimeoutError"]


class Patient(Allowance):
    """Leaves it to a session to count the seconds that a submission has left."""

    def limits(self, seconds):
        return super().limits(seconds + 60)


@pytest.mark.parametrize("allowance", [Allowance(), Patient()], ids=["sandbox", "session"])
def test_whoever_counts_it_is_the_time_of_the_notebook_that_was_used_up(allowance, sessions):
    case = Case("one", TEXT.copy(), 7, ROWS.copy(), ROOMY)
    asked = TwoSessions(sessions, allowance, lambda: 1.0, Cell(attack("while True: pass")))
    with pytest.raises(AnswerLost, match="whole notebook was used up"):
        asked.outcomes([case])
    assert asked.timed_out


def test_what_only_other_cells_define_is_not_there(outcomes):
    above, within = "model = above, above", "def fit(*_):\n    above()\nmodel = fit, fit"
    with pytest.raises(AnswerLost, match="its cell raises NameError: name 'above' is not"):
        outcomes(above)
    assert outcomes(within)[0].error == "NameError"
    for source in (above, within):
        (outcome,) = outcomes(source, elsewhere=["above"])
        assert outcome.value["refused"][0] == "a helper elsewhere"


def test_what_fit_leaves_to_predict_is_named_when_it_is_explained(outcomes):
    keeps = attack("global kept\nkept = text", "kept")
    assert outcomes(keeps)[0].error == "NameError"
    (explained,) = outcomes(keeps, again=True)
    assert explained.value["refused"][0] == "shared state"
    (honest,) = outcomes(HONEST, again=True)
    assert honest.value["shared"] is False


@pytest.mark.parametrize("blank", ["model = None", "model = ..."])
def test_what_was_handed_out_is_no_answer(blank, outcomes):
    with pytest.raises(NoAnswer):
        outcomes(blank)


def test_a_seed_and_a_copy_of_the_text_are_what_fit_gets(outcomes):
    told = "raise RuntimeError(f'{text.dtype} {text.shape} {seed}')"
    (outcome,) = outcomes(attack(told))
    assert outcome == Raised("RuntimeError", f"uint8 {TEXT.shape} 7")


TAMPERED = """
import builtins, numpy, os, threading
numpy.exp = numpy.where = None
builtins.sorted = None
open("headway.py", "w").write("raise ImportError")
if not os.fork():
    while True: pass
"""


def graded(sessions, *before):
    """The verdict on counts that look the story's name up, behind other cells."""
    source = f"{inspect.getsource(counting)}\nmodel = fit, predict"
    check = new_code_cell('check("17-capstone/model", model)')
    check.metadata["nbgrader"] = {"grade": True, "locked": True, "grade_id": "check-model"}
    cells = [*map(new_code_cell, before), new_code_cell(source), check, new_code_cell("model = 0")]
    notebook = new_notebook(cells=cells)
    result = grade_notebook(notebook, {}, sessions, Allowance(), seed=11)
    return result.verdicts["17-capstone/model"]


def test_earlier_cells_reach_neither_session_and_the_judge_has_counted(sessions):
    verdict = graded(sessions, TAMPERED)
    assert (verdict.status, verdict.score) == ("passed", 10)
    assert verdict.measured["the truth"] < verdict.measured["bits per byte"] < 1
    assert verdict.measured["parameters"] < 10_000


@pytest.mark.full
def test_each_grading_meets_texts_of_its_own_so_that_nobody_can_tell_of_them(sessions):
    first, second = (graded(sessions).measured["the truth"] for _ in range(2))
    assert first != second


COUNT = """
import pathlib
path = pathlib.Path("/tmp/fitted")
if path.exists():
    raise RuntimeError("again")
path.touch()
"""


def test_the_model_of_one_case_is_gone_in_the_next(outcomes):
    first, second = outcomes(attack(COUNT), count=2)
    assert isinstance(first, Returned)
    assert isinstance(second, Returned)
