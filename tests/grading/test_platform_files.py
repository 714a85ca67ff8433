"""Files for Canvas and Moodle, held to the rules by which these platforms import them."""

import csv

import pytest
from nbgrader.api import Gradebook
from traitlets.config import Config

import headway.grading.nbgrader.convert  # noqa: F401 - puts what nbgrader calls by name on the path
from headway.errors import UserError
from headway.grading.exports import CanvasExport, MoodleExport
from tests.grading.platform_imports import CanvasCourse, RefusedError, moodle_takes

NAME, OTHER = "01-one-hot", "02-markov-chain"
# As Canvas writes it, in German: a byte order mark, semicolons, a comma in numbers.
THEIRS = (
    "\ufeffStudent;ID;SIS User ID;SIS Login ID;Section;01-one-hot (71);"
    "Quiz (72);Final Score\n"
    ";;;;;Manual Posting;;\n"
    "    Points Possible;;;;;20,00;10,00;(read only)\n"
    '"Łovelace, Ada ""the first""";41234;S-0042;ada;"A, and B";12,50;1,00;60,00\n'
    "Noether, Emmy;41235;S-0043;emmy;A;EX;;\n"
    '"=""=cmd|calc, Mallory""";41236;S-0044;mallory;A;;;\n'
    "Zoe;41237;S-0045;zoe;A;7,25;;\n"
    "Extra, Student;41238;S-0046;extra;A;9,00;;\n"
    "Student, Test;41239;;0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d;A;;;\n"
)
STUDENTS = {
    41234: ('Łovelace, Ada "the first"', "S-0042", "ada"),
    41235: ("Noether, Emmy", "S-0043", "emmy"),
    41236: ("=cmd|calc, Mallory", "S-0044", "mallory"),
    41237: ("Zoe", "S-0045", "zoe"),
    41238: ("Extra, Student", "S-0046", "extra"),
}
SCORES = {"ada": 18.5, "emmy": 3, "mallory": 0, "gone": 20}


@pytest.fixture
def book():
    """A gradebook: of `zoe` there is no grade, and `gone` has left the platform."""
    with Gradebook("sqlite://") as book:
        book.add_assignment(NAME)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("c", NAME, NAME, max_score=20, cell_type="code")
        book.add_student("ada", first_name="Ada", last_name="Łovelace", lms_user_id="41234")
        book.add_student("emmy", email="emmy@x.example")
        book.add_student("mallory", first_name="=cmd|calc", last_name='"', email="m@x.example")
        book.add_student("zoe")
        book.add_student("gone")
        for student, score in SCORES.items():
            book.add_submission(NAME, student).notebooks[0].grades[0].auto_score = score
        book.db.commit()
        yield book


@pytest.fixture
def written(book, tmp_path, caplog):
    """Writes a file; gives its path."""

    def write(kind, **settings):
        path = tmp_path / "out.csv"
        config = Config({"ExportPlugin": {"to": str(path)}, kind.__name__: settings})
        caplog.clear()
        kind(config=config, folder=tmp_path).export(book)
        return path

    return write


@pytest.fixture
def theirs(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(THEIRS, encoding="utf-8")
    return str(path)


def rows_of(path):
    return list(csv.reader(path.open(encoding="utf-8", newline="")))


def canvas(**more):
    return CanvasCourse(dict(STUDENTS), {71: NAME, 72: "Quiz"}, **more)


# Canvas. Source of each rule: canvas-lms, lib/gradebook_importer.rb (and gradebook_exporter.rb),
# and the Canvas Instructor Guide, "How do I import grades in the Gradebook?".


def test_canvas_takes_the_header_up_to_section_in_its_order(written, theirs):
    """gradebook_importer.rb, `row_has_student_headers?`, `update_column_count`, `header?`."""
    for settings in ({}, {"gradebook": theirs}):
        header = rows_of(written(CanvasExport, **settings))[0]
        assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
        canvas().take(written(CanvasExport, **settings))


def test_canvas_s_ids_and_sections_come_back_as_they_were(written, theirs):
    """gradebook_importer.rb, `process_student`: ID, then SIS User ID, then SIS Login ID."""
    by_id = {row[1]: row for row in rows_of(written(CanvasExport, gradebook=theirs))[2:]}
    assert by_id["41234"][:5] == [
        'Łovelace, Ada "the first"',
        *("41234", "S-0042", "ada", "A, and B"),
    ]
    course = canvas()
    course.take(written(CanvasExport, gradebook=theirs))
    assert course.made == []
    assert course.grades[41234, NAME] == "18.5"


def test_canvas_finds_the_assignment_by_its_number(written, theirs):
    """gradebook_importer.rb, `parse_assignments`; assignment.rb, `title_with_id`."""
    assert rows_of(written(CanvasExport, gradebook=theirs))[0][5:] == [f"{NAME} (71)"]
    assert rows_of(written(CanvasExport))[0][5:] == [NAME]


def test_canvas_s_row_of_points_is_no_student_and_keeps_its_points(written, theirs, caplog):
    """gradebook_importer.rb, `check_for_non_student_row`, `process_pp`."""
    rows = rows_of(written(CanvasExport, gradebook=theirs))
    assert rows[1] == ["Points Possible", "", "", "", "", "20,00"]
    assert "out of" not in caplog.text
    assert [row[0] for row in rows].count("Points Possible") == 1


def test_other_points_in_canvas_are_told(written, theirs, tmp_path, caplog):
    """Canvas Instructor Guide: an import changes no assignment's points."""
    (tmp_path / "theirs.csv").write_text(THEIRS.replace("20,00", "100"), encoding="utf-8")
    written(CanvasExport, gradebook=theirs)
    assert f"Canvas counts {NAME} out of 100 points, the gradebook out of 20" in caplog.text


def test_who_has_no_grade_here_keeps_canvas_s_own_and_the_excused_stay_so(written, theirs, caplog):
    """gradebook_importer.rb, `no_change_to_value?`: a blank field takes a grade away; EX stays."""
    course = canvas()
    course.take(written(CanvasExport, gradebook=theirs))
    assert course.grades[41237, NAME] == "7.25"
    assert course.grades[41235, NAME] == "EX"
    assert "emmy is excused from 01-one-hot in Canvas, and stays so" in caplog.text


def test_who_is_not_assigned_it_in_canvas_stays_so(written, theirs, tmp_path, caplog):
    """gradebook_exporter.rb: N/A is of whom it was not assigned to."""
    (tmp_path / "theirs.csv").write_text(THEIRS.replace(";EX;", ";N/A;"), encoding="utf-8")
    rows = {row[1]: row for row in rows_of(written(CanvasExport, gradebook=theirs))}
    assert rows["41235"][5] == "N/A"
    assert "emmy is not assigned 01-one-hot in Canvas, and stays so" in caplog.text


def test_a_zero_that_was_earned_is_a_zero(written, theirs):
    """gradebook_importer.rb, `no_score?`: 0 is a score, and blank is none."""
    course = canvas()
    course.take(written(CanvasExport, gradebook=theirs))
    assert course.grades[41236, NAME] == "0"


def test_a_student_of_one_side_only_is_left_out_and_named(written, theirs, book, caplog):
    """gradebook_importer.rb: a row that is nobody's makes the teacher choose a student for it."""
    book.update_or_create_student("gone", first_name="Alan", last_name="Gone")
    course = canvas()
    course.take(written(CanvasExport, gradebook=theirs))
    assert {student for student, _ in course.grades} == {41234, 41235, 41236, 41237}
    assert "Not in the file, with a grade (1): gone (Alan Gone)." in caplog.text
    assert "In Canvas and not in nbgrader's gradebook, left as they are: " in caplog.text


def test_a_file_that_has_nobody_of_the_gradebook_is_refused(written, theirs, tmp_path):
    """The file of another course: of its rows only two are left, that no gradebook knows."""
    rows = THEIRS.splitlines(keepends=True)
    (tmp_path / "theirs.csv").write_text("".join(rows[:3] + rows[-2:]), encoding="utf-8")
    with pytest.raises(UserError, match=r"none of them can be told .* headway class roster"):
        written(CanvasExport, gradebook=theirs)


def test_an_export_counts_its_rows_and_who_lacks_a_grade(written, theirs, book):
    own, from_theirs, moodle = (
        kind(config=Config({"ExportPlugin": {"to": str(written(kind))}, kind.__name__: settings}))
        for kind, settings in (
            (CanvasExport, {}),
            (CanvasExport, {"gradebook": theirs}),
            (MoodleExport, {}),
        )
    )
    for export in (own, from_theirs, moodle):
        export.export(book)
    assert own.counts(book) == moodle.counts(book) == "5 rows, 4 with a grade."
    counts = "4 rows, 3 with a grade. Of the 5 students' rows in the platform's file, 2 get none."
    assert from_theirs.counts(book) == counts


def test_many_who_are_left_out_are_counted_and_some_are_named(written, theirs, book, caplog):
    for number in range(200):
        book.add_student(f"s{number:03d}")
        book.add_submission(NAME, f"s{number:03d}").notebooks[0].grades[0].auto_score = 1
    written(CanvasExport, gradebook=theirs)
    (told,) = (line for line in caplog.messages if line.startswith("Not in the file"))
    assert told.startswith("Not in the file, with a grade (201): gone, s000, ")
    assert told.endswith("s018 and 181 more.")


def test_a_student_with_two_rows_is_left_out_and_named(written, theirs, tmp_path, caplog):
    """gradebook_importer.rb takes both; which of them is the student's is not for us to say."""
    again = "Noether, E.;41299;S-99;emmy;B;1,00;;\n"
    (tmp_path / "theirs.csv").write_text(THEIRS + again, encoding="utf-8")
    found = {row[3] for row in rows_of(written(CanvasExport, gradebook=theirs))[2:]}
    assert "More than one row in Canvas's gradebook, left out: emmy" in caplog.text
    assert "Not in the file, with a grade (2): emmy, gone." in caplog.text
    assert found == {"ada", "mallory", "zoe"}


def test_who_is_one_is_not_guessed(written, theirs, book, caplog):
    """A number that is another's outweighs a login; two who could be meant are left out."""
    book.update_or_create_student("zoe", lms_user_id="41236")
    found = {row[1] for row in rows_of(written(CanvasExport, gradebook=theirs))[2:]}
    assert found == {"41234", "41235"}
    assert "Mallory" in caplog.text
    assert "could be" in caplog.text


def test_no_id_is_read_as_the_number_that_it_begins_with(written, book, caplog):
    """gradebook_importer.rb, `student_id.to_i`: "41235x" would be student 41235."""
    book.update_or_create_student("zoe", lms_user_id="41235x")
    by_login = {row[3]: row for row in rows_of(written(CanvasExport))}
    assert by_login["zoe"][1] == ""
    assert "is no number of Canvas's" in caplog.text


def test_an_assignment_that_canvas_lacks_is_told_and_its_column_has_no_number(
    written, theirs, book, caplog
):
    """gradebook_importer.rb, `parse_assignments`: an unknown title is a new assignment."""
    book.add_assignment(OTHER)
    path = written(CanvasExport, gradebook=theirs)
    assert rows_of(path)[0][5:] == [f"{NAME} (71)", OTHER]
    assert f"Canvas has no assignment {OTHER!r}" in caplog.text
    course = canvas()
    course.take(path)
    assert course.made == [OTHER]


def test_an_assignment_that_was_dropped_here_is_not_touched_there(written, theirs):
    """gradebook_importer.rb: a column that is not in the file keeps its grades."""
    assert "Quiz (72)" not in rows_of(written(CanvasExport, gradebook=theirs))[0]


def test_another_title_in_canvas_is_named_in_the_configuration(written, theirs):
    """assignment.rb, `title_and_id`."""
    for title in ("Quiz", "Quiz (72)"):
        header = rows_of(written(CanvasExport, gradebook=theirs, titles={NAME: title}))[0]
        assert header[5:] == ["Quiz (72)"]
    with pytest.raises(UserError, match="no assignment 'Essay', which `titles` names"):
        written(CanvasExport, gradebook=theirs, titles={NAME: "Essay"})


def test_two_assignments_of_one_title_are_not_guessed(written, theirs, tmp_path):
    """assignment.rb, `title_with_id`: only the number tells them apart."""
    (tmp_path / "theirs.csv").write_text(THEIRS.replace("Quiz (72)", f"{NAME} (72)"), "utf-8")
    with pytest.raises(UserError, match=r"more than one assignment '01-one-hot'.*titles"):
        written(CanvasExport, gradebook=theirs)


@pytest.mark.parametrize("title", ["essay (2026)", "Final Score"])
def test_a_title_that_canvas_would_read_otherwise_is_refused(written, book, title):
    """gradebook_importer.rb, NON_ASSIGNMENT_COLUMN_HEADERS; assignment.rb, `title_and_id`."""
    book.add_assignment(title)
    with pytest.raises(UserError, match="Canvas would not take"):
        written(CanvasExport)


def test_names_are_no_formulas_and_quotes_and_commas_come_through(written, theirs):
    """SIS CSV Format of Canvas, "Standard CSV rules": quotes doubled, fields with commas quoted."""
    for settings in ({}, {"gradebook": theirs}):
        rows = rows_of(written(CanvasExport, **settings))
        assert not [text for row in rows for text in row if text.startswith(("=", "+", "-", "@"))]
    assert [row[0] for row in rows if row[1] == "41236"] == ['\'="=cmd|calc, Mallory"']


def test_the_file_has_no_byte_order_mark_commas_and_points(written, theirs):
    """gradebook_importer.rb, `identify_delimiter`, converter `decimal_comma_to_period`."""
    content = written(CanvasExport, gradebook=theirs).read_bytes()
    assert content.startswith(b"Student,ID,")
    assert "Łovelace".encode() in content


def test_what_is_no_export_of_canvas_s_is_refused(written, tmp_path):
    """gradebook_importer.rb, `InvalidHeaderRow`."""
    (tmp_path / "list.csv").write_text("Name,Mail\nada,a@x.example\n")
    with pytest.raises(UserError, match="is not what Canvas's gradebook exports"):
        written(CanvasExport, gradebook=str(tmp_path / "list.csv"))


def test_canvas_s_own_file_is_not_written_over(written, theirs, tmp_path):
    (tmp_path / "out.csv").write_text(THEIRS, encoding="utf-8")
    with pytest.raises(UserError, match="is Canvas's own file"):
        written(CanvasExport, gradebook=str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == THEIRS


# Moodle. Source of each rule: Moodle documentation, "Grade import";
# grade/import/csv/classes/load_data.php and lib/csvlib.class.php of Moodle.

USERS = [
    {"username": name, "idnumber": f"S-{at}", "email": f"{name}@x.example"}
    for at, name in enumerate(["ada", "emmy", "mallory", "zoe", "gone"])
]


def test_moodle_finds_everybody_by_the_column_that_is_mapped(written):
    """load_data.php, `check_user_exists`: by id, idnumber, email or username."""
    taken = moodle_takes(written(MoodleExport), USERS, "Username")
    assert {user: taken[user, NAME] for user in SCORES} == {
        "ada": "18.5",
        "emmy": "3",
        "mallory": "0",
        "gone": "20",
    }


def test_no_grade_goes_to_the_student_of_the_row_before(written, book, caplog):
    """load_data.php: a blank user field is skipped, and the row goes to the user before it."""
    book.update_or_create_student("ada", email="ada@x.example")
    path = written(MoodleExport, students_by="Email address")
    users = [
        {**one, "email": "m@x.example"} if one["username"] == "mallory" else one for one in USERS
    ]
    taken = moodle_takes(path, users, "Email address")
    assert {user for user, _ in taken} == {"ada", "emmy", "mallory"}
    assert taken["mallory", NAME] == "0"
    assert "Without Email address, left out: zoe, gone." in caplog.text
    assert "Not in the file, with a grade (1): gone." in caplog.text
    assert "Not in the file, without a grade (1): zoe." in caplog.text
    assert "name the column of the students' ids with --id" in caplog.text


def test_a_blank_id_would_have_given_a_grade_to_another(tmp_path):
    """load_data.php: that the rule above is one."""
    path = tmp_path / "blank.csv"
    path.write_text(f"Username,{NAME}\nada,18\n,3\n")
    assert moodle_takes(path, USERS, "Username") == {("ada", NAME): "3"}


def test_an_id_that_php_takes_for_empty_is_left_out(written, book, caplog):
    """load_data.php, `!empty($value)`: in PHP "0" is empty."""
    for student in SCORES:
        book.update_or_create_student(student, lms_user_id=f"S-{student}")
    book.update_or_create_student("zoe", lms_user_id="0")
    rows = rows_of(written(MoodleExport, students_by="ID number"))
    assert "0" not in [row[rows[0].index("ID number")] for row in rows]
    assert "Without ID number, left out: zoe." in caplog.text


def test_an_id_that_two_have_is_nobody_s(written, book, caplog):
    """load_data.php, `get_record`: two users for one value are an error."""
    for student in ("ada", "emmy"):
        book.update_or_create_student(student, email="both@x.example")
    rows = rows_of(written(MoodleExport, students_by="Email address"))
    assert [row[1] for row in rows[1:]] == ["m@x.example"]
    told = "The same Email address as another, left out: emmy (both@x.example), ada (both@x"
    assert told in caplog.text


def test_moodle_gets_only_columns_of_ids_that_everybody_has(written, book):
    """load_data.php: whichever column is mapped, no field of it may be blank."""
    assert rows_of(written(MoodleExport))[0][:3] == ["Username", "First name", "Last name"]
    for at, student in enumerate(["ada", "emmy", "mallory", "zoe", "gone"]):
        book.update_or_create_student(student, lms_user_id=f"S-{at}")
    assert rows_of(written(MoodleExport))[0][:2] == ["Username", "ID number"]


def test_each_row_has_as_many_fields_as_the_header_whatever_is_in_a_name(written, book):
    """csvlib.class.php, "csvweirdcolumns"; fgetcsv: a backslash keeps a quote open."""
    book.update_or_create_student("ada", first_name='Ada, "x', last_name='y, "z\\')
    taken = moodle_takes(written(MoodleExport), USERS, "Username")
    assert taken["ada", NAME] == "18.5"


def test_a_grade_comes_with_its_feedback(written):
    """Moodle documentation, "Grade import": feedback that comes alone takes the grade away."""
    header = rows_of(written(MoodleExport))[0]
    assert header[-2:] == [NAME, f"{NAME} (feedback)"]


def test_no_grade_is_an_empty_field_and_never_a_zero(written):
    """load_data.php, `update_grade_item`: '' and '-' are no grade."""
    assert moodle_takes(written(MoodleExport), USERS, "Username")["zoe", NAME] == ""


def test_points_above_a_hundred_are_told(written, book, caplog):
    """load_data.php, `insert_grade_record`: "gradevaluetoobig" ends the whole import."""
    book.find_submission(NAME, "ada").notebooks[0].grades[0].manual_score = 101
    book.db.commit()
    path = written(MoodleExport)
    assert "ada has 101 points. Above 100, Moodle refuses the whole file" in caplog.text
    with pytest.raises(RefusedError, match="gradevaluetoobig"):
        moodle_takes(path, USERS, "Username")
    assert moodle_takes(path, USERS, "Username", most=200)["ada", NAME] == "101"


def test_a_student_whom_moodle_does_not_know_ends_the_import(written):
    """load_data.php, "usermappingerror"; so choose the students: --student."""
    with pytest.raises(RefusedError, match="usermappingerror"):
        moodle_takes(written(MoodleExport), USERS[:-1], "Username")
