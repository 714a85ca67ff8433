"""Answers that resemble each other: what changes the share, what does not, and what it costs."""

from importlib import import_module
from inspect import getsource

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.process import cdist

from headway.chapters import ASSIGNMENTS, CHAPTERS
from headway.grading.desk.answers import ClassAnswers, read_answers
from headway.grading.desk.published import LEAST_OF_STUDENT, equal_to_solution
from headway.grading.desk.resemblance import (
    FEW_PIECES,
    LEAST,
    MANY,
    MANY_OF,
    MOST_PIECES,
    PIECE,
    SHOWN_FROM,
    alike_spans,
    resemblance,
)
from headway.grading.desk.resemblance_page import lines_of, resemblance_page
from headway.grading.desk.tokens import (
    LONGEST_READ,
    MOST_TOKENS,
    OWN_NAME,
    TOKEN,
    form_of,
    names_in,
    tokens_of,
)
from tests.assignments.sample_class import students_of
from tests.full import FULL
from tests.grading.classroom import cell_named, gradebook_of, hand_in, notebook_of
from tests.grading.desk.copies import renamed
from tests.steps import steps_of

CHAPTER = CHAPTERS[1]
ODD_CODE = st.text(alphabet="\"'\\\n#rb a1(.é\x00", max_size=60)
# Sample students who were given the same text, in all of an answer or in much of it.
SAME_TEXT = {("ada", "konrad", "20-capstone")}


def code(seed: int, words: str = "abcdefgh") -> str:
    """An answer of its own, some two hundred tokens long."""
    lines = [f"def work{seed}(x):"]
    for n in range(20):
        one, two = words[(n * seed) % 8], words[(n + seed) % 8]
        lines.append(f"    {one} = {two}.part{(n * n + seed) % 97}({n * seed}, x[{n + seed}])")
    return "\n".join(lines)


def of_class(**answers: str) -> ClassAnswers:
    """A class with one task."""
    return ClassAnswers(None, {name: {"t": text} for name, text in answers.items()}, {"t": ""}, ())


def kinds(source):
    return [token.kind for token in tokens_of(source, {"given"})]


CLASS = "class Table:\n    def add(self, word):\n        self.words[word] = self.count"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "def f(a, b):\n    return given(a.shape, 'x') + b  # sum",
            'def   g(first,second):\n\n  return given(first.shape,\n   "y")+second',
        ),
        # Attributes of a class of one's own.
        (CLASS, CLASS.replace(".words", ".w").replace(".count", ".max")),
        # Letters that Python reads alike.
        ("given.𝘳𝘦𝘴𝘩", "given.resh"),
        ("𝘥𝘦𝘧 f(): pass", "def f(): pass"),
        # Brackets that only group.
        ("x = a + b", "x = ((a) + (b))"),
        ("if a: b = 1", "if (a): (b) = (1)"),
        ("for a in zip(b, c): f(a)", "for (a) in (zip((b), c)): f((a))"),
        ("x = a\ny, z = b", "x = a\n(y, z) = b"),
    ],
)
def test_names_of_one_s_own_layout_comments_and_brackets_change_no_token(one, other):
    assert kinds(one) == kinds(other)


def test_what_is_given_or_python_s_own_is_told_apart():
    assert kinds("given + 1") != kinds("other + 1")
    assert kinds("x.mean") != kinds("x.sum")
    assert kinds("f(x)") != kinds("f x")
    assert kinds("self.mine") != kinds("self.given") == ["self", ".", "given"]
    assert (kinds("len(x)")[0], kinds("mine")[0]) == ("len", OWN_NAME)


@pytest.mark.parametrize(
    "form",
    [
        *("{} = 3\ny = {}", "y, {} = 1, 2", "{}: float = 3", "if y: {} = 3", "y = {} = 3"),
        *("for y, {} in x: pass", "lambda y, {}=3: {}", "def f(y, {}=3, *z): return {}"),
        *("with y as {}: pass", "({} := 3)", "def {}(y): pass", "y = 3; {} = 4"),
    ],
)
def test_a_name_that_hides_python_s_own_is_the_student_s(form):
    assert kinds(form.format("max", "max")) == kinds(form.format("most", "most"))


@pytest.mark.parametrize("line", ["y = max(x)", "f(max=3)", "y.max = 3", "y: max = 3", "max == 3"])
def test_what_only_uses_python_s_own_name_hides_nothing(line):
    assert "max" in kinds(line)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b):\n    return a + b", "def g(x, y):\n  # sum\n  return (x +\n    y)"),
        ("def f(a):\n    'What it is.'\n    return a", "def f(b):\n    return b"),
        ("given(a, b)", "given(\n    a,\n    b,\n)"),
        ("x = [1, 2]", "y = [1, 2,]"),
    ],
)
def test_the_form_of_an_answer_is_without_names_docstrings_and_last_commas(one, other):
    assert form_of(one, {"given"}) == form_of(other, {"given"})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("def f(a, b): return a + b", "def f(a, b): return a + a"),
        ("x = 'a'", "x = 1"),
        ("f('a')\nx", "f()\nx"),
        ("given(x)", "x(given)"),
    ],
)
def test_what_says_something_else_has_another_form(one, other):
    assert form_of(one, {"given"}) != form_of(other, {"given"})


@given(ODD_CODE)
def test_every_text_has_tokens_and_they_stand_in_order(source):
    tokens = tokens_of(source)
    edges = [edge for token in tokens for edge in (token.start, token.end)]
    assert edges == sorted(edges)
    assert all(token.start < token.end for token in tokens)


@pytest.mark.parametrize(
    "part", ['"""', "'", '\\"""', "'''\"\"\"\\", "((((", "a" * 50, "r'\\", "\n \\\n", "0.0."]
)
def test_twice_the_text_takes_twice_the_steps(part):
    text = part * (4_000 // len(part))
    assert steps_of(tokens_of, text * 2) < 2.1 * steps_of(tokens_of, text)


@given(ODD_CODE)
def test_a_text_that_is_opened_is_one_token_to_its_end_and_never_read_anew(source):
    for match in TOKEN.finditer(source):
        assert match.lastgroup == "text" or match[0] not in ('"', "'")
        if match.lastgroup == "text":
            quoted = match[0].lstrip("rbfuRBFU")
            is_long = source.startswith(quoted[0] * 3, match.end() - len(quoted))
            quote = quoted[0] * (3 if is_long else 1)
            closed = len(quoted) >= 2 * len(quote) and quoted.endswith(quote)
            line_ends = not is_long and source.startswith("\n", match.end())
            assert closed or line_ends or match.end() == len(source)


def test_of_a_long_text_a_bounded_part_is_read():
    assert len(tokens_of("a " * LONGEST_READ)) == MOST_TOKENS
    assert tokens_of("#" * LONGEST_READ + "\na") == []


def test_a_copy_under_other_names_is_found_and_shown():
    copy = code(3, "zyxwvuts").replace("\n", "  # mine\n\n")
    found = resemblance(of_class(ada=code(3), bob=code(5), cyd=copy))
    (pair,) = found.pairs
    assert (pair.one, pair.other, pair.share) == ("ada", "cyd", 1.0)
    assert found.compared == 3
    one, other = alike_spans(found.pieces["ada", "t"], found.pieces["cyd", "t"])
    assert one == [(0, len(code(3)))]
    assert len(other) == 1


@pytest.mark.parametrize(
    "much",
    [f"{mark * 50_000}\n{code(3)}" for mark in "#\n"]
    + [f"'{'x' * 50_000}'\n{code(3)}", f"{code(3)}\n{code(7)}\n{code(9)}"],
)
def test_what_is_added_to_a_copy_does_not_hide_it(much):
    found = resemblance(of_class(ada=code(3), bob=code(5), eve=much))
    assert [(pair.one, pair.other) for pair in found.pairs] == [("ada", "eve")]


def test_who_has_more_than_is_compared_is_named():
    found = resemblance(of_class(ada=code(3), eve="x+" * MOST_TOKENS + code(3)))
    assert found.long == ["eve"]
    html = resemblance_page(CHAPTER, of_class(), found, {})
    assert "Read those of <bdi>eve</bdi> yourself" in html
    assert resemblance(of_class(ada=code(3), eve="#" * 50_000)).long == ["eve"]


def test_a_part_that_is_alike_counts_by_its_length():
    half = code(3).split("\n")
    mixed = "\n".join(half[:10] + code(7).split("\n")[10:])
    pairs = resemblance(of_class(ada=code(3), bob=mixed)).pairs
    assert SHOWN_FROM < pairs[0].share < 0.6


def test_what_all_may_write_is_left_out():
    task = {"t": code(3)}
    alike = ClassAnswers(None, dict.fromkeys(("ada", "bob"), task), {"t": code(3)}, ())
    assert resemblance(alike).short == 2
    many = of_class(**{f"s{n}": code(3) for n in range(MANY + 1)})
    assert resemblance(many).pairs == []
    assert len(resemblance(of_class(**{f"s{n}": code(3) for n in range(MANY)})).pairs) == 6


def test_in_a_large_class_more_may_have_the_same_before_it_is_left_out():
    most = 6
    others = {f"o{n}": code(10 + n) for n in range(MANY_OF * most)}
    for alike in (most, most + 1):
        answers = {f"s{n}": code(3) for n in range(alike)}
        class_ = of_class(**dict([*answers.items(), *others.items()][: MANY_OF * most]))
        pairs = [pair for pair in resemblance(class_).pairs if pair.share == 1]
        assert len(pairs) == (most * (most - 1) // 2 if alike == most else 0)


def test_short_answers_tell_nothing():
    short = "\n".join(code(3).split("\n")[:4])
    assert resemblance(of_class(ada=short, bob=short)).short == 2
    assert len(tokens_of(short)) - PIECE < LEAST
    assert resemblance(of_class(ada=code(3), bob=short)).compared == 0
    long = {"ada": {"t": code(3)}, "bob": {"t": code(5)}}
    tiny = "return x.mean(0) + x.sum(1)"
    with_tiny = {name: {**own, "u": tiny} for name, own in long.items()}
    assert PIECE < len(tokens_of(tiny)) < PIECE + FEW_PIECES
    found = [resemblance(ClassAnswers(None, a, {"t": "", "u": ""}, ())) for a in (long, with_tiny)]
    assert found[0].median == found[1].median


def test_answers_are_read_as_they_were_handed_in(tmp_path):
    def change(notebook):
        cell_named(notebook, "score").source = "def score(P, sentences):\n    return 1"

    hand_in(tmp_path, "ada", "release", change, CHAPTER)
    hand_in(tmp_path, "bob", "solution", chapter=CHAPTER)
    hand_in(tmp_path, "cut", chapter=CHAPTER).write_text("{", encoding="utf-8")
    read = read_answers(tmp_path, CHAPTER)
    assert read.answers["ada"] == {"score": "def score(P, sentences):\n    return 1"}
    assert list(read.unread) == ["cut"]
    assert "neighbors" in " ".join(read.shared)
    for module in CHAPTER.modules:  # which everybody has read
        assert getsource(import_module(module)) in read.shared["score"]
    assert {"score", "sentences"} <= read.known
    assert resemblance(read).short == 2


def change_all(change):
    """A change of a notebook: of the code in each cell for an answer."""

    def of_notebook(notebook):
        for cell in notebook.cells:
            if cell.cell_type == "code" and cell.metadata.nbgrader.solution:
                cell.source = change(cell.source)

    return of_notebook


def test_who_handed_in_the_published_solution_is_named(tmp_path, headway):
    released = notebook_of(CHAPTER, "release").cells
    known = names_in("\n".join(cell.source for cell in released if cell.cell_type == "code"))
    hand_in(tmp_path, "ada", chapter=CHAPTER)
    other_names = change_all(lambda code: renamed(code, None, known) + "\n# by me")
    hand_in(tmp_path, "eve", change=other_names, chapter=CHAPTER)
    hand_in(tmp_path, "fay", change=change_all(lambda code: f"{code}\nx = 1"), chapter=CHAPTER)
    hand_in(tmp_path, "gus", "release", chapter=CHAPTER)
    with gradebook_of(tmp_path) as book:
        book.add_student("eve", first_name="<b>Eve")
    result = headway("class", "similar", "02", "--course", tmp_path)
    tasks = "transitions, chain, score, sample, unigram, beat-unigram, stationary"
    line = f"Equal to the published solution: ada ({tasks}); eve (<b>Eve) ({tasks})."
    assert line in result.out
    assert "a reason to ask, never a proof" in result.err
    html = (tmp_path / "similar" / f"{CHAPTER.name}.html").read_text("utf-8")
    table = BeautifulSoup(html, "html.parser").find("table")
    assert [row.th.get_text() for row in table.tbody.find_all("tr")] == ["ada", "eve (<b>Eve)"]


def test_the_solution_is_that_of_the_course_folder_and_the_checkout_s(tmp_path):
    def change(notebook):
        cell_named(notebook, "chain").source = code(3)

    source = hand_in(tmp_path / "x", "y", change=change, chapter=CHAPTER)
    source = source.rename(tmp_path / "source.ipynb")
    place = tmp_path / "source" / CHAPTER.notebook
    place.parent.mkdir(parents=True)
    source.rename(place)
    hand_in(tmp_path, "ada", "release", change, CHAPTER)
    hand_in(tmp_path, "bob", chapter=CHAPTER)
    found = equal_to_solution(read_answers(tmp_path, CHAPTER))
    assert found["ada"] == ["chain"]
    assert "chain" in found["bob"]


def test_a_short_answer_that_is_equal_names_nobody():
    def equal(*lengths):
        tasks = {f"t{n}": "x = 0" + " + 1" * length for n, length in enumerate(lengths)}
        published = {name: frozenset({text}) for name, text in tasks.items()}
        return equal_to_solution(ClassAnswers(None, {"ada": tasks}, {}, frozenset(), published))

    half = LEAST_OF_STUDENT // 2
    assert equal(half) == {"ada": ["t0"]}
    assert equal(half - 2) == {}
    assert equal(half // 2, half // 2) == {"ada": ["t0", "t1"]}
    assert equal(*[4] * 50) == {}


def test_where_nothing_was_compared_it_says_why_and_gives_no_median(tmp_path, headway):
    for name in ("ada", "bob"):
        hand_in(tmp_path, name, "solution", chapter=CHAPTER)
    said = headway("class", "similar", "02", "--course", tmp_path).out
    why = f"It takes two students with {LEAST} pieces of their own"
    assert "0 pairs compared.\nNothing was compared. It takes two students with" in said
    assert "resemble" not in said
    html = (tmp_path / "similar" / f"{CHAPTER.name}.html").read_text("utf-8")
    assert f"Nothing was compared. {why}" in html
    assert "0 %</strong> median" not in html
    empty = resemblance_page(CHAPTER, of_class(), resemblance(of_class()), {})
    assert "Fewer than two submissions can be read" in empty
    unlike = of_class(ada=code(3), bob=code(5))
    assert "<h2>Pairs</h2>\n<p>None.</p>" in resemblance_page(
        CHAPTER, unlike, resemblance(unlike), {}
    )


def test_the_page_says_names_and_code_as_text(tmp_path, headway):
    def change(notebook):
        evil = code(3) + "\n# </pre><script>alert(1)</script>\u202e\n"
        cell_named(notebook, "score").source = f"{evil}y = '{'x' * 5000}'"

    for name in ("ada", "eve"):
        hand_in(tmp_path, name, "release", change, CHAPTER)
    with gradebook_of(tmp_path) as book:
        book.add_student("eve", first_name="Eve", last_name="<b>Moore")
    result = headway("class", "similar", "02", "--course", tmp_path)
    assert result.code == 0
    assert "100%  ada, eve (Eve <b>Moore)" in result.out
    html = (tmp_path / "similar" / f"{CHAPTER.name}.html").read_text("utf-8")
    assert "<script" not in html
    assert "\u202e" not in html
    page = BeautifulSoup(html, "html.parser")
    assert page.summary.get_text() == "100 %: ada, eve (Eve <b>Moore)"
    assert len(page.find_all("pre")) == 2
    assert page.pre.mark.get_text().startswith("def work3(x):")
    assert len(html) < 40_000


def test_lines_are_cut_where_they_are_marked():
    lines = lines_of("ab\n\tcd\nef", [(1, 5)])
    assert lines == [[("a", False), ("b", True)], [("    c", True), ("d", False)], [("ef", False)]]
    assert lines_of("", []) == [[]]
    assert lines_of("x\n" * 500, [])[-1] == [("…", False)]


def test_of_long_hostile_answers_a_bounded_part_is_compared(monkeypatch):
    def compare(keys, others, **options):
        longest.append([max(map(len, row)) for row in (keys, others)])
        return cdist(keys, others, **options)

    longest = []
    monkeypatch.setattr("headway.grading.desk.resemblance.cdist", compare)
    answers = {f"s{n}": " ".join(f"{n}{m}+" for m in range(100_000)) for n in range(12)}
    assert resemblance(of_class(**answers)).compared == 66
    assert longest == [[MOST_PIECES, MOST_PIECES]]


@pytest.mark.parametrize("name", [one.name for one in ASSIGNMENTS if FULL or one is CHAPTERS[0]])
def test_students_of_the_sample_classes_do_not_resemble_each_other(tmp_path, name):
    for student in students_of(name).values():
        student.hand_in(tmp_path)
    (chapter,) = (one for one in ASSIGNMENTS if one.name == name)
    of_class = read_answers(tmp_path, chapter)
    for student, tasks in equal_to_solution(of_class).items():
        own = {task for task, one in students_of(name)[student].answers.items() if one.text}
        assert not own & set(tasks), f"{student} wrote this in other words than the solution"
    found = resemblance(of_class)
    pairs = {(pair.one, pair.other, name) for pair in found.pairs}
    assert pairs <= SAME_TEXT
    assert found.compared == 1 or name == "20-capstone" or found.median < 0.2
