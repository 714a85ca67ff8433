"""What is installed, from where, and what is said on the way."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools import install as tool

PIP = '''#!{python}
"""Stands in for a Python whose pip installs nothing, and says what pip would say."""
import json, pathlib, sys
here = pathlib.Path(__file__).parents[1]
asked = sys.argv[3:]
with open(here / "asked.jsonl", "a") as file:
    print(json.dumps(asked), file=file)
plan = json.loads((here / "plan.json").read_text())
part = "torch" if "--index-url" in asked else "all"
print(plan[part]["says"])
for name in plan[part].get("brings", []):
    (here / "lib/python3/site-packages" / f"{{name}}.dist-info").mkdir(parents=True)
sys.exit(plan[part].get("code", 0))
'''
RIGHT = {"says": "Successfully installed", "brings": ["numpy-2", "rich-15"]}
CPU = {"says": "Collecting torch", "brings": ["torch-2.13.0+cpu"]}


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An environment whose pip does as it is told: environment(torch={...}, all={...})."""
    folder = tmp_path / ".venv"
    program = folder / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text(PIP.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setattr(tool, "ENVIRONMENT", folder)
    monkeypatch.setattr(tool, "has_nvidia_card", lambda: False)
    monkeypatch.setattr(tool.sys, "platform", "linux")

    def planned(**plan: dict) -> Path:
        (folder / "plan.json").write_text(json.dumps(plan))
        return folder

    return planned


def asked(folder: Path) -> list[str]:
    """What pip was asked for, a line each."""
    return (folder / "asked.jsonl").read_text().splitlines()


def test_the_cpu_build_comes_from_its_own_index_and_the_rest_from_pip_s(environment, capsys):
    folder = environment(torch=CPU, all=RIGHT)
    tool.install("course")
    first, second = asked(folder)
    assert '"torch"' in first
    assert tool.CPU_BUILDS in first
    assert '"--no-deps"' in first, "what torch needs has its versions from constraints.txt"
    assert '".[book,grade]"' in second
    assert tool.CPU_BUILDS not in second
    assert "3 packages" in capsys.readouterr().out


def test_where_its_index_cannot_be_reached_that_is_said_and_pypi_s_build_taken(environment, capsys):
    folder = environment(torch={"says": "ERROR: no route to host", "code": 1}, all=RIGHT)
    tool.install("course")
    assert len(asked(folder)) == 2
    said = capsys.readouterr().out
    assert f"{tool.CPU_BUILDS} can't be reached" in said
    assert "2 packages" in said


@pytest.mark.parametrize("why", ["a card", "torch is there", "no Linux"])
def test_the_cpu_build_is_not_asked_for_where_it_is_not_wanted(environment, monkeypatch, why):
    folder = environment(all=RIGHT)
    if why == "a card":
        monkeypatch.setattr(tool, "has_nvidia_card", lambda: True)
    elif why == "no Linux":
        monkeypatch.setattr(tool.sys, "platform", "darwin")
    else:
        (folder / "lib/python3/site-packages/torch-2.13.0.dist-info").mkdir(parents=True)
    tool.install("test")
    (only,) = asked(folder)
    assert '".[test]"' in only


def test_a_failure_gives_pip_s_reason_and_what_to_do(environment):
    says = "Collecting numpy\nERROR: Could not install numpy: No space left on device\n"
    folder = environment(torch=CPU, all={"says": says, "code": 1})
    with pytest.raises(tool.InstallError, match=r"No space left on device\. .* the same command"):
        tool.install("course")
    assert "No space left" in (folder / "install.log").read_text()


def test_it_runs_on_a_python_where_nothing_is_installed():
    code = "import sys; sys.path.insert(0, 'tools'); import install"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, cwd=tool.ROOT)
