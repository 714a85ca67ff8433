"""`headway grade`: what can be said before anything is graded."""

from tests.commands.sentences import assert_sentence


def test_grade_of_an_unknown_chapter_says_so(headway, tmp_path):
    assert_sentence(headway("grade", "99", "--course", tmp_path), "There is no chapter '99'")


def test_grade_of_a_missing_folder_says_so(headway, tmp_path):
    result = headway("grade", "01", "--course", tmp_path / "none")
    assert_sentence(result, "There is no folder", "submitted/STUDENT/01-one-hot/01-one-hot.ipynb")


def test_grade_without_submissions_says_so_and_leaves_nothing_behind(headway, tmp_path):
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    result = headway("grade", "01", "--course", tmp_path)
    assert_sentence(result, "Nothing was submitted for 01-one-hot")
    assert [path.name for path in tmp_path.iterdir()] == ["submitted"]
