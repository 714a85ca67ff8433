"""What is published: the wheel and the source distribution, and that neither holds a solution."""

import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from traitlets.utils.importstring import import_item
from trove_classifiers import classifiers

from headway import errors
from headway.chapters import ASSIGNMENTS
from headway.commands.doctor import EXTRAS
from headway.grading.nbgrader.guard import GuardedExporter

REGION = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.S)
TELLING = 60  # characters of an answer that nobody would write by accident


@pytest.fixture(scope="module")
def project(root) -> dict:
    """The table `project` of pyproject.toml."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def built(root, tmp_path_factory) -> dict[str, dict[str, str]]:
    """Of each distribution its files, by path within it, as text."""
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-d", out]
    subprocess.run(build, cwd=root, capture_output=True, check=True)
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return {"wheel": dict(in_wheel(wheel)), "sdist": dict(in_sdist(sdist))}


def in_wheel(file: Path):
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            yield name, archive.read(name).decode("utf-8", "replace")


def in_sdist(file: Path):
    with tarfile.open(fileobj=io.BytesIO(file.read_bytes())) as archive:
        for member in archive:
            if member.isfile():
                text = archive.extractfile(member).read().decode("utf-8", "replace")
                yield member.name.split("/", 1)[1], text


def in_one_line(name: str, text: str) -> str:
    """A file's text; of a notebook the code of its cells."""
    if name.endswith(".ipynb"):
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return " ".join(text.split())


def solutions(root) -> set[str]:
    """Each answer of the solutions that is long enough to be known again, in one line."""
    found = set()
    for notebook in (root / "solutions").rglob("*.ipynb"):
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
            for region in REGION.findall("".join(cell["source"])):
                found.add(" ".join(region.split("### GIVEN")[0].split()))
    return {answer for answer in found if len(answer) >= TELLING}


def leaks(files: dict[str, str], answers: set[str]) -> list[str]:
    """Files that hold an answer, but for the specifications of the tasks."""
    others = {
        name: in_one_line(name, text)
        for name, text in files.items()
        if "headway/tasks/chapters/" not in name
    }
    return [name for name, code in others.items() if any(answer in code for answer in answers)]


def test_no_distribution_holds_a_solution(root, built):
    answers = solutions(root)
    assert len(answers) > 100
    solved = (root / "solutions" / ASSIGNMENTS[3].notebook).read_text("utf-8")
    assert leaks({"exercises/one.ipynb": solved}, answers), "it would be found"
    for kind, files in built.items():
        assert leaks(files, answers) == [], kind
        handed_out = [text for name, text in files.items() if name.endswith(".ipynb")]
        assert len(handed_out) == len(ASSIGNMENTS)
        assert not [text for text in handed_out if "BEGIN SOLUTION" in text]
        folders = {part for name in files for part in Path(name).parts[:-1]}
        assert not folders & {"solutions", "tests", "variants", "wrong_answers"}
    top = {Path(name).parts[0] for name in built["sdist"] if len(Path(name).parts) > 1}
    assert top == {"src", "exercises"}, "tests, samples and benchmarks hold answers, too"


@pytest.mark.parametrize(("kind", "below"), [("wheel", ""), ("sdist", "src/")])
def test_a_distribution_holds_what_a_student_and_an_instructor_need(root, built, kind, below):
    files = set(built[kind])
    exercises = f"{below}headway/exercises/" if kind == "wheel" else "exercises/"
    assert {exercises + assignment.notebook for assignment in ASSIGNMENTS} <= files
    package = root / "src" / "headway"
    sources = [p for p in package.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    assert {f"{below}headway/{p.relative_to(package).as_posix()}" for p in sources} <= files
    assert [name for name in files if re.search(r"headway/figures/gallery/.*\.js$", name)]


def test_the_wheel_keeps_nbgrader_from_leaving_the_sandbox_wherever_it_is_installed(built):
    """Jupyter reads `etc/jupyter` of an environment, and pip puts a wheel's data there."""
    (name,) = [name for name in built["wheel"] if name.endswith("etc/jupyter/nbgrader_config.json")]
    assert ".data/data/etc/jupyter/" in name
    exporter = json.loads(built["wheel"][name])["Autograde"]["exporter_class"]
    assert import_item(exporter) is GuardedExporter


def test_messages_and_citation_give_the_name_and_version_that_are_published(root, project, built):
    assert project["name"] == errors.DISTRIBUTION
    (metadata,) = [text for name, text in built["wheel"].items() if name.endswith("/METADATA")]
    assert f"\nName: {errors.DISTRIBUTION}\n" in metadata
    citation = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == project["version"]


def test_extras_that_bring_others_name_them_by_the_published_name(project):
    extras = project["optional-dependencies"]
    own = [line for lines in extras.values() for line in lines if line.startswith("headway")]
    assert {line.partition("[")[0] for line in own} == {project["name"]}
    brought = {extra for line in own for extra in re.findall(r"[a-z]+", line.partition("[")[2])}
    assert brought <= set(extras) == set(EXTRAS) - {""}


def test_the_index_knows_each_classifier(project):
    assert set(project["classifiers"]) <= classifiers
    pythons = {f"Programming Language :: Python :: 3.{minor}" for minor in range(11, 15)}
    assert pythons <= set(project["classifiers"])
