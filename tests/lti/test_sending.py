"""`headway class lti` and `headway class export lti`: scores sent to a platform that runs here."""

import json

import pytest
from nbgrader.api import Student

from headway.grading.lti import service
from headway.grading.lti.users import users_of
from tests.commands.sentences import assert_sentence
from tests.grading.classroom import gradebook_of
from tests.lti.platform import BONUS, NAME, person


def points(platform):
    return {user: score["scoreGiven"] for (_, user), score in platform.scores.items()}


def test_scores_arrive_at_a_grade_item_that_is_made_for_them(send, platform):
    done = send("01")
    assert done.code == 0, done.err
    assert points(platform) == {"u-1": 18.5, "u-2": 0}
    (item,) = platform.items.values()
    assert (item["label"], item["resourceId"], item["scoreMaximum"]) == (NAME, NAME, 20)
    score = platform.posted[0]
    assert score["gradingProgress"] == "FullyGraded"
    assert score["scoreMaximum"] == 20
    assert "sent 01-one-hot ada: 18.5 of 20" in done.out
    assert "01-one-hot: 2 sent, 0 as before." in done.out
    assert "of the 4 students in the platform's class list, 2 get no score." in done.out


def test_a_second_time_sends_only_what_changed(send, platform, course):
    send("01")
    assert "01-one-hot: 0 sent, 2 as before." in send("01").out
    with gradebook_of(course) as book:
        book.find_submission(NAME, "ada").notebooks[0].grades[0].manual_score = 19
    assert "01-one-hot: 1 sent, 1 as before." in send("01").out
    assert points(platform) == {"u-1": 19, "u-2": 0}
    assert (len(platform.posted), len(platform.items)) == (3, 1)
    assert "2 sent" in send("01", "--force").out


@pytest.mark.full
def test_assignments_and_students_are_chosen_and_a_dry_run_sends_nothing(send, platform, course):
    done = send("01", "--dry-run")
    assert "would make its grade item" in done.out
    assert "would send 01-one-hot ada: 18.5 of 20" in done.out
    assert (platform.posted, platform.items) == ([], {})
    assert not (course / ".headway" / "lti" / "sent.json").exists()
    assert "02-markov-chain: no scores to send." in send("--student", "emmy").out
    assert (len(platform.items), set(points(platform))) == (1, {"u-2"})


@pytest.mark.full
def test_a_bonus_without_points_of_its_own_is_told(send, platform, course):
    with gradebook_of(course) as book:
        grade = book.add_submission(BONUS, "ada").notebooks[0].grades[0]
        grade.auto_score, grade.extra_credit = 0, 5
    done = send(BONUS)
    assert done.code == 1
    assert "has no points of its own, only a bonus" in done.err
    assert platform.items == {}


def test_a_lost_answer_doubles_neither_grade_item_nor_score(send, platform):
    platform.failures["POST", "lineitems"] = ["drop"]
    platform.failures["POST", "scores"] = ["drop"]
    done = send("01")
    assert done.code == 0, done.err
    assert len(platform.items) == 1
    assert [score["userId"] for score in platform.posted] == ["u-1", "u-2"]


@pytest.mark.full
@pytest.mark.parametrize(("arrived", "first"), [(1, "drop"), (0, 503)])
def test_a_run_that_broke_off_goes_on_with_the_same_score(send, platform, arrived, first):
    platform.failures["POST", "scores"] = [first, *[503] * (service.TRIES - 1)]
    done = send("01")
    assert done.code == 3
    assert "the same command to go on" in done.err
    assert len(platform.posted) == arrived
    done = send("01")
    assert (done.code, "2 sent, 0 as before" in done.out) == (0, True)
    assert points(platform) == {"u-1": 18.5, "u-2": 0}
    assert len(platform.posted) == 2, "what had arrived is not taken twice"


@pytest.mark.full
def test_what_fails_in_passing_is_asked_again_and_a_token_renewed(send, platform, waits):
    platform.failures["POST", "token"] = [503]
    platform.failures["GET", "members"] = [429, 500]
    platform.failures["POST", "scores"] = [401]
    assert send("01").code == 0
    assert waits == [1, 2, 4, 0]
    assert points(platform) == {"u-1": 18.5, "u-2": 0}


@pytest.mark.full
def test_a_score_that_the_platform_has_newer_is_told_and_the_others_go_on(send, platform):
    send("01", "--student", "emmy")
    (item,) = platform.items
    platform.scores[item, "u-1"] = {"when": 9e9, "scoreGiven": 1}
    done = send("01")
    assert done.code == 1
    assert "the score of ada was not taken: the platform has a newer score" in done.err
    assert points(platform)["u-1"] == 1
    assert "1 not taken" in done.out
    platform.scores.clear()
    assert send("01").code == 0, "it is tried again"


def test_who_is_unknown_or_could_be_two_is_told_and_nothing_is_guessed(send, platform):
    platform.people[0]["email"] = "lovelace@x.example"
    platform.people.append(person("u-6", "other@x.example", "S-2"))
    done = send("01")
    assert done.code == 1
    told = "nothing was sent for 1 with a score, because the platform"
    assert f"{told} does not know them: ada." in done.err
    assert f"{told} could mean several people: emmy." in done.err
    assert platform.posted == []


def student(name, number="", mail=""):
    return Student(id=name, lms_user_id=number or None, email=mail or None)


@pytest.mark.parametrize(
    ("one", "members", "school_ids", "expected"),
    [
        # Canvas's number and login, where it tells them; a number is not the school's id then.
        (student("ada", "7"), [person("u", canvas=(7, "x")), person("v", school="7")], False, "u"),
        (student("ada"), [person("u", canvas=(7, "Ada"))], False, "u"),
        (student("ada", "7"), [person("7"), person("v", school="7")], False, "v"),
        (student("7"), [person("u", school="7")], False, None),
        (student("7"), [person("u", school="7")], True, "u"),
        (student("a@x.example"), [person("u", "A@x.example")], False, "u"),
        # An address of mail, which people may change, does not count beside the school's id.
        (student("ada", "7", "a@x"), [person("u", "a@x"), person("v", school="7")], False, "v"),
        # What leads to two people leads to nobody.
        (student("ada", "", "a@x"), [person("u", "a@x"), person("v", "a@x")], False, None),
        (student("ada", "", "a@x"), [person("u", "a@x", role="Instructor")], False, None),
        # Some platforms give one role, and no list.
        (student("ada", "", "a@x"), [person("u", "a@x") | {"roles": "Learner"}], False, "u"),
        (student("ada", "", "a@x"), [person("u", "a@x") | {"roles": "Instructor"}], False, None),
        (student("ada", "", "a@x"), [person("u", "a@x") | {"status": "Deleted"}], False, None),
    ],
)
def test_who_a_student_is_on_the_platform(one, members, school_ids, expected):
    found, why = users_of([one], {}, members, school_ids)
    assert found.get(one.id) == expected
    assert (one.id in why) == (expected is None)


def test_one_person_cannot_be_two_students():
    found, why = users_of([student("ada", "7"), student("A@x")], {}, [person("u", "a@x", "7")])
    assert (found, set(why)) == ({}, {"ada", "A@x"})
    assert why["ada"] == "has one person for two students"


@pytest.mark.full
def test_who_came_through_the_platform_is_who_they_were_then(send, platform, course):
    logins = course.parent / "platform" / "logins.json"
    logins.parent.mkdir()
    known = {"people": {"ada": "u-4", "zoe": "u-1"}, "courses": {}}
    logins.write_text(json.dumps(known))
    assert send("01").code == 0
    assert points(platform) == {"u-4": 18.5, "u-2": 0}


@pytest.mark.full
def test_a_score_that_is_gone_here_stays_there_and_is_told(send, course):
    send("01")
    with gradebook_of(course) as book:
        book.remove_submission(NAME, "ada")
    assert "the platform keeps the scores of u-1" in send("01").err


@pytest.mark.full
def test_the_platform_s_own_grade_item_can_be_named_and_none_is_guessed(send, platform, course):
    send("01", "--student", "emmy")
    (first,) = platform.items.values()
    address = first["id"].replace("/0/", "/8/")
    platform.items[address] = {**first, "id": address}
    assert_sentence(send("01"), "has 2 grade items for 01-one-hot")
    platform.items[address] |= {"label": "Homework 1", "scoreMaximum": 100}
    (course / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.LtiExport.titles = {{{NAME!r}: 'Homework 1'}}\n"
    )
    assert send("01").code == 0
    assert {item for item, user in platform.scores if user == "u-1"} == {address}
    platform.items[address]["label"] = "Essay"
    assert_sentence(send("01"), "no grade item 'Homework 1', which `titles` names")
