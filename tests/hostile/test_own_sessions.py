"""Attacks on a model that is fitted in one session and predicts in another: nothing is gained.

What an attack finds it tells by raising it, so that its words arrive here.
"""

import textwrap

import numpy as np
import pytest

from headway.grading.allowance import Allowance
from headway.grading.execution.client import NoAnswer
from headway.grading.execution.not_done import NotDone
from headway.grading.execution.own_sessions import OwnSessions
from headway.tasks.engine.probe.outcomes import Raised, Returned
from headway.tasks.engine.task import Case
from headway.tasks.engine.unseen_text import refusals
from headway.tasks.engine.unseen_text.cell import Cell
from headway.tasks.engine.unseen_text.refusals import Budget

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
ROOMY = Budget(bytes=4_000, seconds=20, characters=4_000)


@pytest.fixture
def outcomes(sessions):
    """What comes of a cell: outcomes(source, budget=…, cases=1)."""

    def ask(source, budget=ROOMY, count=1, left=120.0, elsewhere=()):
        cases = [Case(str(n), TEXT.copy(), 7, ROWS.copy(), budget) for n in range(count)]
        cell = Cell(source, elsewhere=frozenset(elsewhere).__contains__)
        return OwnSessions(sessions, Allowance(), lambda: left, cell).outcomes(cases)

    return ask


def reason(outcome):
    """Why a model is refused."""
    kind, said = outcome.value["refused"]
    return f"{kind}: {said}"


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
import os, socket, time
if not os.fork():
    os.setsid()
    kept = socket.create_server(("127.0.0.1", 45671)), socket.socket(socket.AF_UNIX)
    kept[1].bind("\\0hw-left"); kept[1].listen()
    while True: time.sleep(100)
"""
KNOCK = """
import os, socket
found = []
for family, place in ((socket.AF_INET, ("127.0.0.1", 45671)), (socket.AF_UNIX, "\\0hw-left")):
    with socket.socket(family) as one:
        one.settimeout(1)
        if not one.connect_ex(place): found.append(place)
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
    (outcome,) = outcomes(attack(f"return {numbers}"))
    assert outcome.error == "UnplainError"


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (attack("return {'w': np.zeros(1_001, np.float32)}"), "too large a model"),
        (attack("return {'w' * 100_000: np.zeros(1, np.float32)}"), "names of arrays"),
        (attack("return text.tobytes().decode()"), "no dictionary of arrays"),
        (attack(predict="return np.full((len(seen), 256), 1.0)"), "sums that are not one"),
        (attack(predict="return np.eye(256)[[0] * len(seen)]"), "impossible bytes"),
    ],
)
def test_what_is_no_model_and_faked_probabilities_are_refused_by_name(model, kind, outcomes):
    (outcome,) = outcomes(model)
    assert outcome.value["refused"][0] == kind


SHORT = Budget(bytes=4_000, seconds=1, characters=4_000)


SEVERAL = "import os\nfor _ in range(3):\n    os.fork()\nwhile True: pass"


@pytest.mark.parametrize(
    ("where", "loop"),
    [
        ("fit", "while True: pass"),
        pytest.param("predict", "while True: pass", marks=pytest.mark.full),
        pytest.param("fit", SEVERAL, marks=pytest.mark.full),
    ],
)
def test_who_never_ends_is_stopped_and_told_where(where, loop, outcomes):
    (outcome,) = outcomes(attack(**{where: loop}), SHORT)
    assert reason(outcome).startswith(f"ended: {where} needs more than the 1 seconds")


@pytest.mark.parametrize("end", ["import os\nos._exit(0)", "import os\nos.kill(os.getpid(), 9)"])
def test_who_ends_the_process_has_no_answer(end, outcomes):
    (outcome,) = outcomes(attack(predict=end))
    assert "ended the process" in reason(outcome)


def test_memory_is_limited(outcomes):
    hungry = "kept = []\nwhile True:\n    kept.append(np.ones(1 << 22))"
    (outcome,) = outcomes(attack(hungry))
    if isinstance(outcome, Returned):
        assert "memory" in reason(outcome)
    else:
        assert outcome.error in ("MemoryError", "_ArrayMemoryError")


def test_fit_gets_text_and_seed_and_what_is_refused_once_is_not_tried_again(outcomes):
    told = "raise RuntimeError(f'{text.dtype} {text.shape} {seed}')"
    first, second, third = outcomes(attack(told), count=3)
    assert first is second is third
    assert first == Raised("RuntimeError", f"uint8 {TEXT.shape} 7")


@pytest.mark.parametrize("left", [-1.0, 2.0], ids=["before it begins", "while it runs"])
def test_a_model_for_which_a_busy_machine_has_no_time_is_not_graded(left, outcomes):
    with pytest.raises(NotDone, match="waited for a busy machine"):
        outcomes(attack("import time; time.sleep(600)"), left=left)


def test_what_was_earned_stays_if_there_is_no_time_left_to_explain_the_rest(sessions):
    left, case = [120.0], Case("0", TEXT.copy(), 7, ROWS.copy(), ROOMY)
    alone = OwnSessions(sessions, Allowance(), lambda: left[0], Cell(HONEST))
    (judged,) = alone.outcomes([case])
    assert isinstance(judged, Returned)
    left[0] = -1.0
    (explained,) = alone.outcomes([case])
    assert explained.error == "TimeoutError"


def test_a_model_that_sleeps_is_stopped(outcomes, monkeypatch):
    monkeypatch.setattr(refusals, "CELL_SECONDS", 0.0)
    (outcome,) = outcomes(attack("import time; time.sleep(600)"), SHORT)
    assert "fit took 4 seconds, most of them asleep" in reason(outcome)


def test_what_only_other_cells_define_is_not_there(outcomes):
    above, within = "model = above, above", "def fit(*_):\n    above()\nmodel = fit, fit"
    for source in (above, within):
        assert outcomes(source)[0].error == "NameError"
        (outcome,) = outcomes(source, elsewhere=["above"])
        assert outcome.value["refused"][0] == "a helper elsewhere"


def test_what_fit_leaves_to_predict_is_named(outcomes):
    (outcome,) = outcomes(attack("global kept\nkept = text", "kept"))
    assert outcome.value["refused"][0] == "shared state"
    (honest,) = outcomes(HONEST)
    assert honest.value["shared"] is False


@pytest.mark.parametrize(
    "end",
    [pytest.param("while True: pass", marks=pytest.mark.full), "import os\nos._exit(0)"],
)
def test_a_model_that_only_ends_beside_fit_is_measured(end, outcomes):
    """What `predict` does there explains a failure, and decides nothing."""
    there = f"if 'fitted' in globals():\n{textwrap.indent(end, '    ')}"
    (outcome,) = outcomes(attack("global fitted\nfitted = True", there), SHORT)
    assert outcome.value["numbers"] == 256


@pytest.mark.parametrize("blank", ["model = None", "model = ..."])
def test_what_was_handed_out_is_no_answer(blank, outcomes):
    with pytest.raises(NoAnswer):
        outcomes(blank)


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
