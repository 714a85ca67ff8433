"""What the README promises: its links and commands lead somewhere."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from headway_book.weeks import weeks

from headway.address import repository_address, site_address
from headway.chapters import ASSIGNMENTS, CHAPTERS
from headway.tasks.engine.find import tasks_of
from tools import course

LINK = re.compile(r"\]\(([^)]+)\)")
NAMED = r"headway-course\.github\.io|github\.com/headway-course"


@pytest.fixture(scope="module")
def project(root) -> dict:
    """The table `project` of pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def readme(root) -> str:
    return (root / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def example(root) -> str:
    """The program with which the API reference begins."""
    page = (root / "book" / "api.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    return example


def test_the_example_runs_as_printed(example):
    assert "train(300)" in example
    short = example.replace("train(300)", "train(3)")
    done = subprocess.run([sys.executable, "-c", short], capture_output=True, text=True, check=True)
    assert "3/3" in done.stdout
    assert re.search("^Return the.", done.stdout, re.M)
    assert not done.stderr


def test_each_link_leads_to_a_file_of_the_same_copy(root, readme):
    links = LINK.findall(readme)
    own = [link for link in links if "://" not in link]
    assert len(own) >= 5
    assert [link for link in own if not (root / link).is_file()] == []


def test_nothing_names_an_address_that_only_a_published_copy_has(root):
    """Where the course is published, the workflow says so (headway.address)."""
    tracked = subprocess.run(
        ["git", "grep", "-lE", NAMED, "--", ".", ":!tests"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert tracked.stdout.split() == []
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    assert site_address(config) == repository_address(config) == ""


@pytest.mark.parametrize(
    "path", ["README.md", "book/index.md", "book/for-students.md", "book/for-instructors.md"]
)
def test_what_pip_is_told_to_install_is_this_copy(root, project, path):
    asked = re.findall(
        r'pip install (?:-c \S+ )?(?:-e )?"([^"\[]*)\[(\w+)\]"', (root / path).read_text()
    )
    assert {name for name, _ in asked} == {"."}
    assert {extra for _, extra in asked} <= set(project["optional-dependencies"])


def test_the_notebooks_know_about_as_many_mistakes_as_is_said(readme):
    known = {
        mistake.name
        for assignment in ASSIGNMENTS
        for task in tasks_of(assignment.name)
        for mistake in task.misconceptions
    }
    (said,) = map(int, re.findall(r"know more than (\d+) mistakes by name", readme))
    fitting = len(known) // 50 * 50
    assert said < len(known) <= 1.1 * said, f"{len(known)} are known: write more than {fitting}"


COUNTED = {
    r"(\w+) chapters later": len(CHAPTERS),
    r"made-up class: (\w+) students": len(course.STUDENTS),
    r"(\w+) more submissions are broken or hostile": len(course.HOSTILE),
    r"syllabus\S* of (\w+) weeks": len(weeks()),
}
IN_WORDS = {6: "six", 12: "twelve", 18: "eighteen", 19: "nineteen", 30: "thirty"}


@pytest.mark.parametrize("what", COUNTED)
def test_what_is_counted_is_as_many_as_is_said(readme, what):
    (said,) = re.findall(what, readme)
    assert said.lower() == IN_WORDS[COUNTED[what]]


def test_the_example_is_about_as_long_as_is_said(readme, example):
    (said,) = re.findall(r"language model in (\w+) lines", readme)
    assert said == IN_WORDS[round(len(example.splitlines()), -1)]


def test_the_oldest_python_is_the_one_that_is_said(readme, project):
    (said,) = re.findall(r"Python ([\d.]+) or newer", readme)
    assert project["requires-python"] == f">={said}"
