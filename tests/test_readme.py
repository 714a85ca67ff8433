"""What the README promises: its links and commands lead somewhere."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from headway.address import repository_address, site_address
from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.find import tasks_of

LINK = re.compile(r"\]\(([^)]+)\)")
NAMED = r"headway-course\.github\.io|github\.com/headway-course"


@pytest.fixture(scope="module")
def project(root) -> dict:
    """The table `project` of pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_example_runs_as_printed(root):
    page = (root / "book" / "api.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    assert "train(300)" in example
    short = example.replace("train(300)", "train(3)")
    done = subprocess.run([sys.executable, "-c", short], capture_output=True, text=True, check=True)
    assert "3/3" in done.stdout
    assert re.search("^Return the.", done.stdout, re.M)
    assert not done.stderr


def test_each_link_leads_to_a_file_of_the_same_copy(root):
    links = LINK.findall((root / "README.md").read_text("utf-8"))
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


def test_the_notebooks_know_as_many_mistakes_as_is_said(root):
    assert "know more than seven hundred mistakes by name" in (root / "README.md").read_text(
        "utf-8"
    )
    known = {
        mistake.name
        for assignment in ASSIGNMENTS
        for task in tasks_of(assignment.name)
        for mistake in task.misconceptions
    }
    assert 700 < len(known) < 800
