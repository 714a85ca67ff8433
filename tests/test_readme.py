"""What the README promises: short, and its links and commands lead somewhere."""

import re
import subprocess
import sys
import tomllib

import yaml

LINK = re.compile(r"\]\(([^)]+)\)")


def test_the_example_runs_as_printed(root):
    page = (root / "book" / "api.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.S)
    assert "train(300)" in example
    short = example.replace("train(300)", "train(3)")
    done = subprocess.run([sys.executable, "-c", short], capture_output=True, text=True, check=True)
    assert "3/3" in done.stdout
    assert re.search("^Return the.", done.stdout, re.M)
    assert not done.stderr


def test_each_link_can_be_followed_from_the_package_index_too(root):
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
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


def test_the_addresses_are_those_of_the_book_s_configuration(root):
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    repository, site = config["repository"]["url"], config["html"]["baseurl"]
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert urls == {"Homepage": site, "Repository": repository, "Issues": f"{repository}/issues"}
    citation = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    assert (citation["repository-code"], citation["url"]) == (repository, site)


def test_what_pip_is_told_to_install_is_the_course(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    repository = yaml.safe_load((root / "_config.yml").read_text("utf-8"))["repository"]
    archive = f"{repository['url']}/archive/{repository['branch']}.zip"
    for path in ["README.md", "book/index.md", "book/for-students.md", "book/for-instructors.md"]:
        text = (root / path).read_text("utf-8")
        asked = re.findall(r'pip install "([\w-]+)\[(\w+)\](?: @ (.*))?"', text)
        assert asked, path
        assert {name for name, _, _ in asked} == {project["name"]}
        assert {extra for _, extra, _ in asked} <= set(project["optional-dependencies"])
        assert {address for _, _, address in asked} <= {"", archive}


def test_it_is_read_in_three_minutes(root):
    assert len((root / "README.md").read_text("utf-8").split()) <= 700
