"""What is known of a submission survives every stop, and what is damaged counts as unknown."""

import json
import stat
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.grading.journal import CurrentScore, EarlierScore, Entry, Journal, NotedPoints
from headway.grading.notebooks.task_result import TaskResult

TASKS = {"01-one-hot/dot": TaskResult("failed", 0.0, 1.0, "sum-of-sums", "Wrong for …")}
ENTRY = Entry(
    "graded",
    {"submission": "a", "assignment": "b", "tasks": "c"},
    5,
    None,
    1.5,
    TASKS,
    ("A note.",),
    False,
    "2026-11-21 14:00+00:00",
    "",
    (EarlierScore("2026-11-20 14:00+00:00", 3.0, "it was asked for"),),
    CurrentScore(4.0, 0.5, {"due": ""}, "2026-11-21 14:00+00:00"),
    {"check-dot": NotedPoints(None, 1.0, "a", "2026-11-20")},
)


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path)


def test_an_entry_comes_back_as_it_was(journal, tmp_path):
    assert journal.read("ann") is None
    journal.write("ann", ENTRY, "{}")
    entry = Journal(tmp_path).read("ann")
    assert replace(entry, sheet="") == ENTRY
    assert journal.unrecorded_notebook("ann") == "{}"


def test_what_is_recorded_keeps_its_entry_and_needs_no_notebook_any_more(journal):
    journal.write("ann", ENTRY, "{}")
    recorded = journal.mark_recorded("ann", ENTRY)
    assert recorded.recorded
    assert journal.read("ann") == recorded
    assert journal.unrecorded_notebook("ann") is None


@pytest.mark.parametrize("text", ["", '{"cells": []', "{}", "\x00"])
def test_a_damaged_notebook_counts_as_none(journal, tmp_path, text):
    journal.write("ann", ENTRY, '{"cells": []}')
    (tmp_path / "sheets" / "ann.ipynb").write_text(text)
    assert journal.unrecorded_notebook("ann") is None
    (tmp_path / "sheets" / "ann.ipynb").write_bytes(b"\xff")
    assert journal.unrecorded_notebook("ann") is None


def test_a_run_that_was_stopped_keeps_its_seed_and_the_next_gets_another(journal, tmp_path):
    seed = journal.seed()
    assert Journal(tmp_path).seed() == seed
    journal.end()
    journal.end()
    assert journal.seed() != seed


def test_the_seed_is_for_nobody_else_to_read(journal, tmp_path):
    journal.seed()
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", '{"seed": "5"}', '{"seed": true}', '{"seed": -1}', '{"seed": 0}'],
)
def test_a_damaged_seed_is_drawn_anew_and_kept(journal, tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    seed = journal.seed()
    assert 0 < seed < 1 << 62
    assert journal.seed() == seed


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(max_examples=60)
@given(st.sampled_from(sorted(vars(ENTRY))), ANY_JSON)
def test_an_entry_of_wrong_types_counts_as_none(tmp_path_factory, name, value):
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder)
    journal.write("ann", ENTRY)
    path = folder / "journal" / "ann.json"
    data = json.loads(path.read_text())
    data[name] = value
    path.write_text(json.dumps(data))
    entry = journal.read("ann")
    if entry is not None:
        journal.write("ann", entry)
        assert str(journal.read("ann")) == str(entry)
        assert isinstance(entry.key, dict)
        assert entry.status in ("graded", "set-aside", "missing")
        assert type(entry.seed) is int
        assert type(entry.recorded) is bool
        assert isinstance(entry.when, str)
        assert entry.reason is None or isinstance(entry.reason, str)
        assert all(isinstance(step, EarlierScore) for step in entry.earlier)
        assert entry.current is None or isinstance(entry.current, CurrentScore)
        assert all(isinstance(points, NotedPoints) for points in entry.by_hand.values())
        assert all(isinstance(note, str) for note in entry.notes)
        assert all(isinstance(result, TaskResult) for result in entry.tasks.values())


@pytest.mark.parametrize("given", [3, {}, vars(ENTRY.by_hand["check-dot"]) | {"manual": "2"}])
def test_points_by_hand_of_wrong_types_count_as_no_entry(journal, given):
    journal.write("ann", replace(ENTRY, by_hand={"check-dot": given}))
    assert journal.read("ann") is None


@pytest.mark.parametrize("current", [{}, vars(ENTRY.current)])
def test_an_entry_of_an_earlier_version_is_read(journal, tmp_path, current):
    then = {"when": "2026-11-20", "score": 3.0, "why": "it was asked for"}
    data = {"status": "graded", "history": [then], "standing": current, "number": 1, "page": ""}
    (tmp_path / "journal" / "ann.json").write_text(json.dumps(data))
    entry = journal.read("ann")
    assert entry.earlier == (EarlierScore("2026-11-20", 3.0, "it was asked for", 0.0),)
    assert entry.current == (ENTRY.current if current else None)


def test_a_field_of_no_version_makes_it_no_entry(journal, tmp_path):
    (tmp_path / "journal" / "ann.json").write_text('{"status": "graded", "mood": "good"}')
    assert journal.read("ann") is None


@settings(max_examples=20)
@given(st.data())
def test_a_cut_entry_counts_as_none(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("journal")
    journal = Journal(folder)
    journal.write("ann", ENTRY)
    path = folder / "journal" / "ann.json"
    whole = path.read_bytes()
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 2))])
    assert journal.read("ann") is None


@pytest.mark.parametrize(
    "name", ["..", "a/b", "-x", "we[i]rd", "x" * 300, "𝔛" * 63, "\udcff", "", "CON", "é"]
)
def test_a_folder_of_any_name_has_an_entry_of_its_own(journal, tmp_path, name):
    journal.write(name, ENTRY)
    journal.write("other", ENTRY.__class__("missing"))
    assert journal.read(name) == ENTRY
    assert {path.parent.name for path in tmp_path.rglob("*.json")} == {"journal"}


def test_names_that_differ_only_in_case_do_not_share_what_is_no_name(journal):
    journal.write("-a", ENTRY)
    assert journal.read("-b") is None
