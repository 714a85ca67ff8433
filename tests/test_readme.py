"""What the README promises: its links and commands lead somewhere."""

import re
import subprocess
import sys
import tomllib

import pytest
import yaml

from headway.chapters import ASSIGNMENTS
from headway.tasks.engine.find import tasks_of

LINK = re.compile(r"\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def config(root) -> dict:
    """The book's configuration."""
    return yaml.safe_load((root / "_config.yml").read_text("utf-8"))


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


def test_each_link_can_be_followed_from_the_package_index_too(root, config):
    repository, branch = config["repository"]["url"], config["repository"]["branch"]
    raw = repository.replace("github.com", "raw.githubusercontent.com")
    own = {
        f"{repository}/blob/{branch}/": "",
        f"{raw}/{branch}/": "",
        config["html"]["baseurl"]: ".md",
    }
    links = LINK.findall((root / "README.md").read_text("utf-8"))
    assert [link for link in links if not link.startswith("https://")] == []
    followed = [
        link.removeprefix(base).replace(".html", suffix or ".html")
        for base, suffix in own.items()
        for link in links
        if link.startswith(base)
    ]
    assert len(followed) >= 5
    assert [path for path in followed if not (root / path).is_file()] == []


def test_the_addresses_are_those_of_the_book_s_configuration(root, config, project):
    repository, site = config["repository"]["url"], config["html"]["baseurl"]
    issues = f"{repository}/issues"
    assert project["urls"] == {"Homepage": site, "Repository": repository, "Issues": issues}
    citation = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    assert (citation["repository-code"], citation["url"]) == (repository, site)


@pytest.mark.parametrize(
    "path", ["README.md", "book/index.md", "book/for-students.md", "book/for-instructors.md"]
)
def test_what_pip_is_told_to_install_is_the_course(root, config, project, path):
    archive = f"{config['repository']['url']}/archive/{config['repository']['branch']}.zip"
    text = (root / path).read_text("utf-8")
    asked = re.findall(r'pip install "(\.|[\w-]+)\[(\w+)\](?: @ (.*))?"', text)
    assert {name for name, _, _ in asked} in ({project["name"]}, {"."})  # ".": in a copy
    assert {extra for _, extra, _ in asked} <= set(project["optional-dependencies"])
    assert {address for _, _, address in asked} <= {"", archive}


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
