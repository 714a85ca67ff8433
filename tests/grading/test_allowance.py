"""The limits of a submission are those that instructors read of."""

import re

from traitlets.config import Config

from headway.chapters import course_root
from headway.grading.allowance import MB, MOST_STOPPED, Allowance
from headway.grading.notebooks.run import CELL_SECONDS


def test_the_page_tells_all_limits_and_their_defaults():
    page = (course_root() / "book" / "teaching-grading.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^c\.Allowance\.(\w+) = (\d+)  # ", page, re.MULTILINE))
    switches = {"gpu", "trust_submissions"}
    assert {name: float(value) for name, value in told.items()} == {
        name: value for name, value in Allowance().plain().items() if name not in switches
    }


def test_the_guide_tells_what_an_endless_loop_costs():
    guide = (course_root() / "book" / "for-instructors.md").read_text(encoding="utf-8")
    assert "three minutes longer: a cell is stopped after two, and an answer after one." in guide
    assert (Allowance().cell_seconds, Allowance().task_seconds) == (2 * 60, 60)


def test_the_page_tells_what_a_notebook_costs_at_most():
    page = (course_root() / "book" / "teaching-grading.md").read_text(encoding="utf-8")
    usual = Allowance()
    assert f"at most {1 + MOST_STOPPED} sessions and {usual.most_seconds:,g} seconds" in page
    assert usual.wall_seconds == 3_600
    assert "done in an hour (12 times 300 seconds)" in page


def test_a_cell_has_as_long_on_a_student_s_own_machine():
    assert Allowance().cell_seconds == CELL_SECONDS


def test_each_limit_of_a_course_reaches_the_sandbox():
    config = Config()
    config.Allowance.memory_mb, config.Allowance.processes, config.Allowance.space_mb = 700, 5, 3
    limits = Allowance(config=config).limits(40, 80)
    assert limits.memory_bytes == 700 * MB
    assert limits.space_bytes == 3 * MB
    assert (limits.processes, limits.wall_seconds, limits.cpu_seconds) == (5, 40, 80)
