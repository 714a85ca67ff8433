"""`headway class roster`: class lists of Canvas and Moodle, in the gradebook."""

import json
import stat

import pytest

from headway.grading.platforms.people import LONGEST, is_folder_name, owners, same_but_capitals
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,01-one-hot (71)\n"
    ",,,,,Manual Posting\n"
    "    Points Possible,,,,,20\n"
    '"Łovelace, Ada",41234,S-0042,ada,"A and B",12.5\n'
    '"=""=cmd, Mallory""",41236,S-0044,mallory@x.example,A,\n'
    "Zoe,41237,S-0045,zoe,A,\n"
    '"Student, Test",41239,,0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d,A,\n'
)
MOODLE = (
    '"First name";"Last name";"ID number";"Email address"\n'
    'Ada;Łovelace;0042;ada@x.example\n"Emmy";Noether;;emmy@x.example\n'
)


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    return tmp_path / "course"


@pytest.fixture
def roster(headway, course, tmp_path):
    def read(text, *options):
        path = tmp_path / "list.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return headway("class", "roster", path, "--course", course, *options)

    return read


def students(course):
    with gradebook_of(course) as book:
        return {
            one.id: (one.first_name, one.last_name, one.email, one.lms_user_id)
            for one in book.students
        }


def test_canvas_s_gradebook_gives_ids_names_and_numbers(roster, course):
    named_so = '"Student, Test",41240,S-9,tstudent,A,\n'  # and no test student of Canvas's
    assert "4 would be added" in roster(CANVAS + named_so, "--dry-run").out
    assert not list(course.iterdir()), "a dry run makes no gradebook, nor any other file"
    done = roster(CANVAS + named_so)
    assert done.code == 0, done.err
    assert students(course) == {
        "ada": ("Ada", "Łovelace", None, "41234"),
        "mallory@x.example": ("Mallory", "=cmd", "mallory@x.example", "41236"),
        "zoe": (None, "Zoe", None, "41237"),
        "tstudent": ("Test", "Student", None, "41240"),
    }
    assert "new: ada (Ada Łovelace)" in done.out
    assert "4 added, 0 changed, 0 as they were." in done.out
    assert "Left out: Canvas's Test Student." in done.err
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    changed = roster(CANVAS.replace("Łovelace", "King"), "--dry-run")
    assert "changed: ada (Ada Łovelace): last name 'Łovelace' → 'King'" in changed.out
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("login", ["0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d", "", "aab3"])
@pytest.mark.parametrize("column", ["ID", "SIS Login ID"])
def test_canvas_s_test_student_becomes_nobody(roster, course, column, login):
    text = f'Student,ID,SIS User ID,SIS Login ID,Section\n"Student, Test",1999,,{login},A\n'
    assert roster(f"{text}Zoe,41237,S-0045,zoe,A\n", "--id", column).code == 0
    assert [own[3] for own in students(course).values()] == ["41237"]
    apart = text.replace("Student,ID,", "LastName,FirstName,ID,").replace(
        '"Student, Test"', "Student,Test"
    )
    assert "lists no students" in roster(apart, "--id", column).err


def test_names_that_steer_a_terminal_lose_what_does_and_long_ones_are_cut(roster, course):
    out = roster(CANVAS.replace("Łovelace", "\x1b]0;x\x07\u202eLove").replace("Zoe", "Z" * 200)).out
    assert "ada (Ada ]0;xLove)" in out
    assert out.replace("\n", "").isprintable()
    assert students(course)["zoe"][1] == "Z" * 128


@pytest.mark.parametrize(
    "name", ["", ".ada", "a/b", "a\\b", "a\nb", "a*", "[a]", "<a>", "a" * (LONGEST + 1)]
)
def test_what_can_be_no_folder_s_name_is_nobody_s_id(name):
    assert not is_folder_name(name)
    assert all(map(is_folder_name, ("ada@x.example", "o'brien@x.example", "a" * LONGEST)))


def test_another_column_can_be_the_id_and_names_can_stand_apart(roster, course):
    text = CANVAS.replace("Student,ID", "LastName,FirstName,ID").replace('"Łovelace, Ada"', "Ł,Ada")
    text = "\n".join(line for line in text.splitlines() if "41234" in line or "LastName" in line)
    assert roster(text, "--id", "SIS User ID").code == 0
    assert students(course) == {"S-0042": ("Ada", "Ł", None, "41234")}


def test_moodle_s_participants_give_addresses_and_id_numbers(roster, course):
    assert roster(MOODLE).code == 0
    assert students(course) == {
        "ada@x.example": ("Ada", "Łovelace", "ada@x.example", "0042"),
        "emmy@x.example": ("Emmy", "Noether", "emmy@x.example", None),
    }


def test_a_second_time_changes_nothing_and_what_differs_is_told(roster, course):
    roster(CANVAS)
    before = students(course)
    assert "0 added, 0 changed, 3 as they were." in roster(CANVAS).out
    assert students(course) == before
    done = roster(CANVAS.replace("Łovelace, Ada", "King, Ada"))
    assert "changed: ada (Ada Łovelace): last name 'Łovelace' → 'King'" in done.out
    assert students(course)["ada"] == ("Ada", "King", None, "41234")


def test_an_empty_field_takes_nothing_away_and_nobody_is_removed(roster, course):
    with gradebook_of(course) as book:
        book.add_student("ada", email="ada@x.example", first_name="Countess")
        book.add_student("gone", first_name="Alan", last_name="Gone")
    done = roster("Student,ID,SIS Login ID,Section\nŁovelace,41234,ada,A\n")
    assert students(course)["ada"] == ("Countess", "Łovelace", "ada@x.example", "41234")
    assert "left as they are: gone (Alan Gone)" in done.err
    assert "gone" in students(course)


def sections(course):
    return json.loads((course / "sections.json").read_text(encoding="utf-8"))


def test_sections_are_kept_beside_the_gradebook(roster, course):
    assert roster(CANVAS).code == 0
    assert sections(course) == {"ada": "A and B", "mallory@x.example": "A", "zoe": "A"}
    assert "Sections: A and B (1), A (2)." in roster(CANVAS).out
    assert stat.S_IMODE((course / "sections.json").stat().st_mode) == 0o600
    moved = CANVAS.replace(",zoe,A", ',zoe,"Bé"').replace('"A and B"', "")
    assert "changed: zoe (Zoe): section 'A' → 'Bé'" in roster(moved, "--dry-run").out
    assert sections(course)["zoe"] == "A"
    done = roster(moved)
    assert "changed: zoe (Zoe): section 'A' → 'Bé'" in done.out
    assert "0 added, 1 changed, 2 as they were." in done.out
    assert sections(course) == {"ada": "A and B", "mallory@x.example": "A", "zoe": "Bé"}


@pytest.mark.parametrize("column", ["Group", "Groups", "Section"])
def test_a_column_of_groups_in_moodle_s_table_gives_the_sections(roster, course, column):
    header, *rows = MOODLE.splitlines()
    groups = (f'"{column}"', "Monday", "No groups")
    lines = [f"{row};{group}" for row, group in zip((header, *rows), groups, strict=True)]
    assert roster("\n".join(lines)).code == 0
    assert sections(course) == {"ada@x.example": "Monday"}
    (course / "sections.json").unlink()
    assert roster(MOODLE).code == 0
    assert not (course / "sections.json").exists()


@pytest.mark.parametrize("text", ['{"ada": 1}', "[]", "{", "[" * 100_000])
def test_a_damaged_file_of_sections_is_not_overwritten(roster, course, text):
    (course / "sections.json").write_text(text)
    assert_sentence(roster(CANVAS), "sections.json is damaged")
    assert (course / "sections.json").read_text() == text
    assert students(course) == {}


def test_an_id_that_differs_from_one_in_the_gradebook_in_capitals_is_refused(roster, course):
    with gradebook_of(course) as book:
        book.add_student("ADA")
    assert_sentence(
        roster(CANVAS), "'ada' and 'ADA', which is in the gradebook, differ in capitals"
    )
    assert set(students(course)) == {"ADA"}
    with gradebook_of(course) as book:
        book.add_student("ada")
    assert roster(CANVAS).code == 0, "who has graded both before keeps both"


def test_names_of_folders_are_compared_as_macos_and_windows_do():
    assert same_but_capitals("Ann", {"ann", "bob"}) == "ann"
    assert same_but_capitals("Zoe\u0308", {"zo\u00eb"}) == "zo\u00eb"
    assert same_but_capitals("ann", {"ann", "anna"}) is None


def test_a_plus_joins_students_only_if_all_of_them_are_known():
    assert list(owners("eve+fay", {"eve", "fay", "ada"})) == ["eve", "fay"]
    assert owners("eve+fay", {"eve"}) == {}
    assert owners("eve+fay", {"eve", "fay", "eve+fay"}) == {}
    assert owners("ada+x@y.example", {"ada", "x"}) == {}
    assert owners("eve", {"eve"}) == owners("new", {"eve"}) == {}


LOGINS = "Student,ID,Section,SIS Login ID\n"


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (CANVAS.replace(",zoe,", ",ada,"), (), "Two rows have the id 'ada'."),
        (CANVAS.replace(",zoe,", ",Ada,"), (), "'Ada' and another id differ in capitals only."),
        (CANVAS.replace("41237", "41234"), (), "Two rows have the platform's id '41234'."),
        (CANVAS.replace(",zoe,", ",,"), (), "'Zoe' has no id."),
        (CANVAS.replace(",zoe,", ",../zoe,"), (), "'../zoe' cannot be the id of a student."),
        (CANVAS.replace("41237", "41\x1b237"), (), "The lms user id of 'zoe' is longer than 128"),
        (MOODLE, ("--id", "Matrikel"), "has no column 'Matrikel'. It has: 'First name'"),
        (MOODLE.replace("First name", "Vorname"), (), "Names of columns are expected in English"),
        (MOODLE.encode("utf-16"), (), "is not text in UTF-8"),
        (b"PK\x03\x04...", (), "is a file of Excel"),
        ("a;b\n", (), "is neither Canvas's gradebook nor Moodle's"),
        ("", (), "is no table"),
        (LOGINS, (), "lists no students"),
        ("Student,ID,ID,Section,SIS Login ID\na,1,2,A,a\n", (), "has two columns 'ID'"),
        (f"{LOGINS}a,1,A,a,more\n", (), "a row with 5 fields below 4"),
        (f'{LOGINS}"a"b,1,A,a\n', (), "is not CSV as a platform writes it"),
    ],
)
def test_what_is_ambiguous_is_refused_and_changes_nothing(roster, course, text, options, said):
    assert_sentence(roster(text, *options), said)
    assert students(course) == {}


def test_a_list_that_is_not_there_is_said(headway, course):
    missing = headway("class", "roster", course / "no.csv", "--course", course)
    assert_sentence(missing, "There is no file")


def test_a_number_that_the_gradebook_has_for_another_is_refused(roster, course):
    with gradebook_of(course) as book:
        book.add_student("emmy", lms_user_id="41234")
        book.add_student("zoe", lms_user_id="7")
    done = roster(CANVAS)
    assert "'ada' has the platform's id '41234', which the gradebook has for 'emmy'." in done.err
    assert "'zoe' has the platform's id '41237', and in the gradebook it has '7'." in done.err
    assert set(students(course)) == {"emmy", "zoe"}
    done = roster(CANVAS.replace("SIS Login ID", "Login").replace(",ada,", ",,"), "--id", "Login")
    assert "'Ada Łovelace' has no id." in done.err
    assert "'' has" not in done.err
