"""Files for Canvas and Moodle, held to the rules by which these platforms import them."""

import csv

import pytest
from nbgrader.api import Gradebook
from traitlets.config import Config

import headway.grading.nbgrader.convert  # noqa: F401 - puts what nbgrader calls by name on the path
from headway.errors import UserError
from headway.grading.exports import CanvasExport, MoodleExport
from headway.grading.results.report import Report, Row

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
def filled(written, tmp_path):
    """Fills in Canvas's own file, or one that differs from it; gives the path of what goes back."""

    def fill(text=THEIRS, **settings):
        theirs = tmp_path / "theirs.csv"
        theirs.write_text(text, encoding="utf-8")
        return written(CanvasExport, gradebook=str(theirs), **settings)

    return fill


def rows_of(path):
    return list(csv.reader(path.open(encoding="utf-8", newline="")))


def by(column, path):
    """Rows by what stands in one of their columns."""
    header, *rows = rows_of(path)
    return {row[header.index(column)]: dict(zip(header, row, strict=True)) for row in rows}


def test_a_column_under_another_name_is_given_as_the_line_to_write(filled, caplog):
    for title, said in (
        ("Assignment 01 (71)", "'Assignment 01 (71)'"),
        ("One-Hot Vectors (71)", "'One-Hot Vectors (71)'"),
        ("Assignment 11 (71)", "'NAME IN CANVAS'"),
        ("Assignment 1 (70);1. Words (71)", "'NAME IN CANVAS'"),
    ):
        theirs = THEIRS.replace("01-one-hot (71)", title, 1)
        theirs = theirs.replace(";20,00", ";;20,00") if title.count(";") else theirs
        filled(theirs)
        assert f"c.CanvasExport.titles = {{'{NAME}': {said}}}" in caplog.text
    filled(THEIRS.replace("01-one-hot (71)", "Quiz 5"), titles={NAME: "Quiz 5"})
    assert "CanvasExport.titles" not in caplog.text


def test_who_handed_in_and_is_not_graded_is_named(written, tmp_path, caplog):
    (tmp_path / "reports").mkdir()
    rows = {"zoe": Row("set-aside", None, 20, "A page."), "gone": Row("missing", None, 20)}
    path = tmp_path / "reports" / f"{NAME}.json"
    path.write_text(Report(NAME, rows).as_json(), encoding="utf-8")
    for kind in (CanvasExport, MoodleExport):
        written(kind)
        assert f"Handed in {NAME}, and not graded (1): zoe." in caplog.text


# Canvas. Source of the rules: canvas-lms, lib/gradebook_importer.rb (and gradebook_exporter.rb),
# assignment.rb, and the Canvas Instructor Guide, "How do I import grades in the Gradebook?".


def test_canvas_takes_the_header_up_to_section_and_points_and_numbers(written):
    path = written(CanvasExport)
    header, points, *_ = rows_of(path)
    assert header == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", NAME]
    assert points == ["Points Possible", "", "", "", "", "20"]
    ada = by("SIS Login ID", path)["ada"]
    assert (ada["Student"], ada["ID"]) == ("Łovelace, Ada", "41234")


def test_canvas_s_own_file_goes_back_with_our_grades_and_else_as_it_was(filled, book, caplog):
    """Canvas finds a student by ID; a blank field takes a grade away, and EX stays."""
    book.update_or_create_student("gone", first_name="Alan", last_name="Gone")
    path = filled()
    header, points, *rows = rows_of(path)
    assert path.read_bytes().startswith(b"Student,ID,SIS User ID,SIS Login ID,Section,")
    assert header[5:] == [f"{NAME} (71)"], "what has no scores here is not touched there"
    assert points == ["Points Possible", "", "", "", "", "20,00"]
    assert "out of" not in caplog.text
    assert sorted(rows, key=lambda row: row[1]) == [
        ['Łovelace, Ada "the first"', "41234", "S-0042", "ada", "A, and B", "18.5"],
        ["Noether, Emmy", "41235", "S-0043", "emmy", "A", "EX"],
        ['\'="=cmd|calc, Mallory"', "41236", "S-0044", "mallory", "A", "0"],
        ["Zoe", "41237", "S-0045", "zoe", "A", "7,25"],
    ]
    assert "emmy is excused from 01-one-hot in Canvas, and stays so" in caplog.text
    assert "Not in the file, with a grade (1): gone (Alan Gone)." in caplog.text
    assert "In Canvas and not in nbgrader's gradebook, left as they are: " in caplog.text


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ("20,00", "100", f"Canvas counts {NAME} out of 100 points and the gradebook out of 20"),
        (";EX;", ";N/A;", f"emmy is not assigned {NAME} in Canvas, and stays so"),
    ],
)
def test_what_canvas_has_otherwise_stays_so_and_is_told(filled, caplog, ours, theirs, told):
    path = filled(THEIRS.replace(ours, theirs))
    assert theirs.strip(";") in [row[5] for row in rows_of(path)]
    assert told in caplog.text


LINES = THEIRS.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("text", "titles", "why"),
    [
        ("Name,Mail\nada,a@x.example\n", {}, "is not what Canvas's gradebook exports"),
        # The file of another course.
        ("".join(LINES[:3] + LINES[-2:]), {}, r"none of them can be told .* headway class roster"),
        (
            THEIRS.replace("Quiz (", f"{NAME} ("),
            {},
            "more than one assignment '01-one-hot'.*titles",
        ),
        (THEIRS, {NAME: "Essay"}, "no assignment 'Essay', which `titles` names"),
    ],
)
def test_what_cannot_be_filled_in_is_refused(filled, text, titles, why):
    with pytest.raises(UserError, match=why):
        filled(text, titles=titles)


def test_canvas_s_own_file_is_not_written_over(written, tmp_path):
    (tmp_path / "out.csv").write_text(THEIRS, encoding="utf-8")
    with pytest.raises(UserError, match="is Canvas's own file"):
        written(CanvasExport, gradebook=str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == THEIRS


def test_an_export_counts_its_rows_and_who_lacks_a_grade(filled, book, tmp_path):
    def counts(kind, **settings):
        export = kind(
            config=Config({"ExportPlugin": {"to": str(filled())}, kind.__name__: settings})
        )
        export.export(book)
        return export.counts(book)

    assert counts(CanvasExport) == counts(MoodleExport) == "5 rows, 4 with a grade."
    said = "4 rows, 3 with a grade. Of the 5 students' rows in the platform's file, 2 get none."
    assert counts(CanvasExport, gradebook=str(tmp_path / "theirs.csv")) == said


def test_many_who_are_left_out_are_counted_and_some_are_named(filled, book, caplog):
    for number in range(30):
        book.add_student(f"s{number:02d}")
        book.add_submission(NAME, f"s{number:02d}").notebooks[0].grades[0].auto_score = 1
    filled()
    (told,) = (line for line in caplog.messages if line.startswith("Not in the file"))
    assert told.startswith("Not in the file, with a grade (31): gone, s00, ")
    assert told.endswith("s18 and 11 more.")


def test_a_student_with_two_rows_is_left_out_and_named(filled, caplog):
    path = filled(f"{THEIRS}Noether, E.;41299;S-99;emmy;B;1,00;;\n")
    assert set(by("SIS Login ID", path)) == {"", "ada", "mallory", "zoe"}
    assert "More than one row in Canvas's gradebook, left out: emmy" in caplog.text
    assert "Not in the file, with a grade (2): emmy, gone." in caplog.text


def test_who_is_one_is_not_guessed(filled, book, caplog):
    """A number that is another's outweighs a login; two who could be meant are left out."""
    book.update_or_create_student("zoe", lms_user_id="41236")
    assert set(by("ID", filled())) == {"", "41234", "41235"}
    assert "Mallory" in caplog.text
    assert "could be" in caplog.text


def test_no_id_is_read_as_the_number_that_it_begins_with(written, book, caplog):
    book.update_or_create_student("zoe", lms_user_id="41235x")
    assert by("SIS Login ID", written(CanvasExport))["zoe"]["ID"] == ""
    assert "is no number of Canvas's" in caplog.text


def test_an_assignment_that_canvas_lacks_is_told_and_its_column_has_no_number(filled, book, caplog):
    book.add_assignment(OTHER)
    assert rows_of(filled())[0][5:] == [f"{NAME} (71)", OTHER]
    assert f"Canvas has no assignment {OTHER!r}" in caplog.text


@pytest.mark.parametrize("title", ["Quiz", "Quiz (72)"])
def test_another_title_in_canvas_is_named_in_the_configuration(filled, title):
    assert rows_of(filled(titles={NAME: title}))[0][5:] == ["Quiz (72)"]


@pytest.mark.parametrize("title", ["essay (2026)", "Final Score"])
def test_a_title_that_canvas_would_read_otherwise_is_refused(written, book, title):
    book.add_assignment(title)
    with pytest.raises(UserError, match="Canvas would not take"):
        written(CanvasExport)


# Moodle. Source of the rules: Moodle documentation, "Grade import";
# grade/import/csv/classes/load_data.php and lib/csvlib.class.php of Moodle.


def test_moodle_finds_everybody_and_takes_no_grade_for_a_zero(written):
    found = by("Username", written(MoodleExport))
    grades = {"ada": "18.5", "emmy": "3", "mallory": "0", "zoe": "", "gone": "20"}
    assert {user: row[NAME] for user, row in found.items()} == grades
    # Feedback that came alone would take the grade away.
    assert list(found["ada"])[-2:] == [NAME, f"{NAME} (feedback)"]


def test_no_grade_goes_to_the_student_of_the_row_before(written, book, caplog):
    """Moodle skips a user's field that is blank, and gives the row to the user before it."""
    book.update_or_create_student("ada", email="ada@x.example")
    found = by("Email address", written(MoodleExport, students_by="Email address"))
    grades = {"ada@x.example": "18.5", "emmy@x.example": "3", "m@x.example": "0"}
    assert {user: row[NAME] for user, row in found.items()} == grades
    assert "Without Email address, left out: gone, zoe." in caplog.text
    assert "Not in the file, with a grade (1): gone." in caplog.text
    assert "Not in the file, without a grade (1): zoe." in caplog.text
    assert "name the column of the students' ids with --id" in caplog.text


def test_ids_that_are_addresses_are_what_moodle_finds_students_by(book, tmp_path, caplog):
    for student in (*SCORES, "zoe"):
        book.remove_student(student)
    for student, address in {"B@x.example": "b@x.example", "a@x.example": None}.items():
        book.add_student(student, email=address)
    config = Config({"ExportPlugin": {"to": str(tmp_path / "out.csv")}})
    export = MoodleExport(config=config, folder=tmp_path)
    export.export(book)
    header, *rows = rows_of(tmp_path / "out.csv")
    assert header[:2] == ["Email address", "First name"], "no usernames that Moodle doesn't know"
    assert [row[0] for row in rows] == ["b@x.example", "a@x.example"]
    assert 'choose "Email address" for both "Map from" and "Map to"' in export.next_step
    book.add_student("by-hand")
    export = MoodleExport(config=config, folder=tmp_path)
    export.export(book)
    assert 'choose "Email address" for both' in export.next_step
    assert "Without Email address, left out: by-hand." in caplog.text
    book.add_student("zoe", email="zoe@x.example")
    export = MoodleExport(config=config, folder=tmp_path)
    export.export(book)
    assert 'choose "Username" for both' in export.next_step


def test_the_column_that_was_chosen_comes_first(written, book):
    for student in (*SCORES, "zoe"):
        book.update_or_create_student(student, lms_user_id=f"S-{student}")
    chosen = written(MoodleExport, students_by="ID number")
    assert rows_of(chosen)[0][:2] == ["ID number", "Username"]
    assert [row[0] for row in rows_of(chosen)[1:3]] == ["S-ada", "S-emmy"]


def test_an_id_that_php_takes_for_empty_is_left_out(written, book, caplog):
    for student in SCORES:
        book.update_or_create_student(student, lms_user_id=f"S-{student}")
    book.update_or_create_student("zoe", lms_user_id="0")
    assert set(by("ID number", written(MoodleExport, students_by="ID number"))) == {
        f"S-{student}" for student in SCORES
    }
    assert "Without ID number, left out: zoe." in caplog.text


def test_an_id_that_two_have_is_nobody_s(written, book, caplog):
    for student in ("ada", "emmy"):
        book.update_or_create_student(student, email="both@x.example")
    path = written(MoodleExport, students_by="Email address")
    assert set(by("Email address", path)) == {"m@x.example"}
    told = "The same Email address as another, left out: ada (both@x.example), emmy (both@x"
    assert told in caplog.text


def test_moodle_gets_only_columns_of_ids_that_everybody_has(written, book):
    """Whichever column is mapped, no field of it may be blank."""
    assert rows_of(written(MoodleExport))[0][:3] == ["Username", "First name", "Last name"]
    for student in (*SCORES, "zoe"):
        book.update_or_create_student(student, lms_user_id=f"S-{student}")
    assert rows_of(written(MoodleExport))[0][:2] == ["Username", "ID number"]


def test_each_row_has_as_many_fields_as_the_header_whatever_is_in_a_name(written, book):
    """For PHP's fgetcsv, a backslash keeps a quote from ending a field."""
    book.update_or_create_student("ada", first_name='Ada, "x', last_name='y, "z\\')
    path = written(MoodleExport)
    read_by_php = csv.reader(path.open(encoding="utf-8", newline=""), escapechar="\\")
    assert {len(row) for row in read_by_php} == {len(rows_of(path)[0])}


def test_points_above_a_hundred_are_told(written, book, caplog):
    book.find_submission(NAME, "ada").notebooks[0].grades[0].manual_score = 101
    book.db.commit()
    written(MoodleExport)
    assert "ada has 101 points. Above 100, Moodle refuses the whole file" in caplog.text
