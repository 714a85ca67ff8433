"""Where the course is published is said in one place."""

import pytest
import yaml

from headway.address import REPOSITORY, SITE, repository_address, site_address

CONFIG = {"html": {"baseurl": "https://a.example/x"}, "repository": {"url": "https://b.example/y/"}}


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    for name in (SITE, REPOSITORY):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "config", [{}, {"html": None, "repository": {}}, {"html": {"baseurl": ""}}]
)
def test_what_is_not_published_has_no_address(config):
    assert site_address(config) == repository_address(config) == ""


def test_the_environment_goes_before_the_configuration(monkeypatch):
    found = site_address(CONFIG), repository_address(CONFIG)
    assert found == ("https://a.example/x/", "https://b.example/y")
    monkeypatch.setenv(SITE, "https://c.example/")
    monkeypatch.setenv(REPOSITORY, "https://d.example/z")
    found = site_address(CONFIG), repository_address(CONFIG)
    assert found == ("https://c.example/", "https://d.example/z")


def test_the_workflow_that_publishes_says_both(root):
    workflow = yaml.safe_load((root / ".github/workflows/publish.yml").read_text("utf-8"))
    (build,) = [
        step for step in workflow["jobs"]["build"]["steps"] if "book" in step.get("run", "")
    ]
    assert set(build["env"]) == {SITE, REPOSITORY}
