"""The workflows that publish: what they may do, and that nothing unchecked is published."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from headway_book.launch import BRANCH, TREE

from headway.errors import DISTRIBUTION

PINNED = re.compile(r"^[\w-]+/[\w-]+@[0-9a-f]{40}$")


@pytest.fixture(scope="module")
def release(root) -> dict:
    """The workflow that publishes a version."""
    return yaml.safe_load((root / ".github/workflows/release.yml").read_text("utf-8"))


def test_only_what_publishes_may_sign_and_only_from_a_tag_with_actions_that_cannot_change(release):
    jobs = release["jobs"]
    actions = [s["uses"] for job in jobs.values() for s in job["steps"] if "uses" in s]
    assert [action for action in actions if not PINNED.match(action)] == []
    assert release["permissions"] == {"contents": "read"}
    assert {name for name, job in jobs.items() if "permissions" in job} == {"publish"}
    publish = jobs["publish"]
    assert publish["if"] == "github.ref_type == 'tag'"
    assert publish["permissions"] == {"id-token": "write", "attestations": "write"}
    assert publish["environment"]["url"].endswith(f"/{DISTRIBUTION}/")
    assert publish["steps"][-1]["with"] == {"attestations": True}


def test_only_a_tag_that_is_the_version_begins_a_release(release, root):
    # YAML reads the key `on` as true.
    assert release[True] == {"push": {"tags": ["v*"]}, "workflow_dispatch": None}
    (step,) = [s for s in release["jobs"]["build"]["steps"] if s.get("if")]
    assert step["if"] == "github.ref_type == 'tag'"
    script = step["run"].partition("<<'END'\n")[2].rpartition("END")[0]
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    for tag, code in ((f"v{version}", 0), (version, 1), ("v99.0.0", 1)):
        own = os.environ | {"GITHUB_REF_NAME": tag}
        done = subprocess.run(
            [sys.executable, "-c", script], env=own, cwd=root, capture_output=True, check=False
        )
        assert done.returncode == code, tag


def test_what_is_published_was_built_once_checked_and_installed_on_each_system(release):
    jobs = release["jobs"]
    assert (jobs["install"]["needs"], jobs["publish"]["needs"]) == ("build", "install")
    commands = {
        name: " ".join(step.get("run", "") for step in job["steps"]) for name, job in jobs.items()
    }
    assert [name for name, said in commands.items() if "-m build" in said] == ["build"]
    assert "twine check --strict" in commands["build"]
    assert "headway doctor" in commands["install"]
    assert commands["publish"].strip() == ""
    assert not any("checkout" in step.get("uses", "") for step in jobs["publish"]["steps"])
    systems = {one.split("-")[0] for one in jobs["install"]["strategy"]["matrix"]["os"]}
    assert systems == {"ubuntu", "macos", "windows"}
    (check,) = [s["run"] for s in jobs["install"]["steps"] if "headway check" in s.get("run", "")]
    assert check.endswith("|| test $? -eq 1")  # 1 is of answers that do not pass, and no crash


def test_what_buttons_open_is_pushed_to_its_branch_by_a_job_that_may_do_nothing_else(root):
    text = (root / ".github/workflows/publish.yml").read_text("utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["notebooks"]["permissions"] == {"contents": "write"}
    may = [name for name, job in jobs.items() if "contents" in job.get("permissions", {})]
    assert may == ["notebooks"]
    (push,) = [step["run"] for step in jobs["notebooks"]["steps"] if "run" in step]
    assert f"--initial-branch {BRANCH}" in push
    assert push.rstrip().endswith(f'" {BRANCH}')
    (kept,) = [s["with"] for s in jobs["build"]["steps"] if "upload-artifact" in s.get("uses", "")]
    assert kept["path"] == f"_build/{TREE}"
    assert kept["include-hidden-files"] is True
