import pytest

from headway.tasks.engine.listing import another_listing, spoiled

CODE = "    a = 1\n    b = a + 2\n    if b:\n        c = 3\n"


def test_the_question_numbers_the_spoiled_lines():
    assert spoiled(CODE, "+ 2", "- 2", first=9).numbered("{:2d}  {}") == (
        " 9      a = 1\n10      b = a - 2\n11      if b:\n12          c = 3\n"
    )


def test_the_line_is_that_of_the_fault():
    assert spoiled(CODE, "+ 2", "- 2", first=9).line == 10
    assert spoiled(CODE, "c = 3", "c = 4", first=9).line == 12


def test_the_cell_has_both_versions_of_the_faulty_line_alone():
    assert spoiled(CODE, "c = 3", "c = 4", first=9).with_solution() == (
        "    a = 1\n    b = a + 2\n    if b:\n        ### BEGIN SOLUTION\n        c = 3\n"
        "        ### GIVEN\n        # c = 4\n        ### END SOLUTION\n"
    )


def test_a_region_of_several_lines_repeats_those_that_are_right():
    assert spoiled(CODE, "+ 2", "- 2", first=9, region=(9, 10)).with_solution() == (
        "    ### BEGIN SOLUTION\n    a = 1\n    b = a + 2\n    ### GIVEN\n    # a = 1\n"
        "    # b = a - 2\n    ### END SOLUTION\n    if b:\n        c = 3\n"
    )


@pytest.mark.parametrize("at", ["d = 4", " = "])
def test_a_part_that_is_missing_or_is_there_twice_is_refused(at):
    with pytest.raises(ValueError, match="times"):
        spoiled(CODE, at, "5", first=9)


def test_a_listing_replaces_another_in_all_three_cells():
    old, new = spoiled(CODE, "+ 2", "- 2", first=1), spoiled(CODE, "a = 1", "a = 0", first=1)
    assert another_listing(old, new, "repair", ask="part-debug") == {
        "part-debug": [(old.numbered("{:2d}  {}"), new.numbered("{:2d}  {}"))],
        "faulty-line": [("    2\n", "    1\n")],
        "repair": [(old.with_solution(), new.with_solution())],
    }
