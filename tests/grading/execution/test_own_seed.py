"""What one student meets is drawn for that student alone."""

from headway.grading.execution.executor import own_seed


def test_each_student_has_texts_of_their_own_and_the_same_ones_again():
    seeds = [own_seed(seed, student) for seed in (1, 2) for student in ("ada", "bob")]
    assert len(set(seeds)) == 4
    assert own_seed(1, "ada") == seeds[0]
    assert all(0 <= seed < 2**56 for seed in seeds)
