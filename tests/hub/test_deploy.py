"""The image and the cluster's values: made of what is there, and apart from one another."""

import asyncio
import logging
import os
import re
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from headway.extras import requirements
from headway.grading.settings import COURSE_CONFIG
from headway.hub import own_course
from headway.hub.classroom import Account, make_exchange, write_settings
from headway.hub.settings import CLASSROOM, COURSE, EXCHANGE, SETTINGS
from tests.hub.ngshare import PREFIX, Answer, StandIn, served

# What the chart's values.schema.yaml knows, of the parts that are used here.
CHART = {
    "hub": {"config", "extraConfig", "extraVolumes", "extraVolumeMounts", "networkPolicy"},
    "hub.networkPolicy": {"ingress"},
    "singleuser": {
        *("allowPrivilegeEscalation", "cloudMetadata", "cmd", "cpu", "defaultUrl", "image"),
        *("memory", "networkPolicy", "startTimeout", "storage"),
    },
    "singleuser.storage": {"capacity", "extraVolumes", "extraVolumeMounts", "homeMountPath"},
    "singleuser.image": {"name", "tag"},
    "singleuser.cpu": {"guarantee", "limit"},
    "singleuser.memory": {"guarantee", "limit"},
    "singleuser.networkPolicy": {"egress", "enabled"},
    "singleuser.cloudMetadata": {"blockWithIptables"},
}


@pytest.fixture(scope="module")
def containerfile(root) -> str:
    """The Containerfile, with its long lines joined and without its comments."""
    text = (root / "deploy" / "Containerfile").read_text("utf-8")
    return re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))


# What ngshare's chart knows, of the parts that are used here.
NGSHARE_CHART = {
    "image": {"repository", "tag"},
    "ngshare": {"admins", "env"},
    "deployment": {"resources", "strategy"},
    "pvc": {"accessModes", "storage"},
}


def read_values(name: str) -> dict:
    """Values for a Helm chart."""
    folder = Path(__file__).resolve().parents[2] / "deploy" / "zero-to-jupyterhub"
    return yaml.safe_load((folder / name).read_text("utf-8"))


@pytest.fixture(scope="module", params=["values.yaml", "shared-volume.yaml"])
def either(request) -> dict:
    """The values for Zero to JupyterHub, with ngshare or with a shared volume."""
    return read_values(request.param)


@pytest.fixture(scope="module")
def values() -> dict:
    """The values for Zero to JupyterHub with a shared volume."""
    return read_values("shared-volume.yaml")


def test_the_image_has_the_system_packages_that_the_course_looks_for(containerfile, root):
    installed = re.search(r"--no-install-recommends([a-z0-9 -]+)", containerfile)[1].split()
    packages = (root / "tools" / "system-packages").read_text("utf-8")
    for name in ("python3-venv", "bubblewrap"):
        assert name in installed
        assert name in packages


def test_the_image_installs_extras_that_there_are_in_versions_that_are_pinned(containerfile):
    extras = re.search(r'-e "\.\[(.*?)\]"', containerfile)[1].split(",")
    assert set(extras) <= {extra for _, extra in requirements()}
    commands = re.findall(r"pip install.*?(?=&&|;|\n|$)", containerfile)
    assert len(commands) == 4
    for command in commands:
        assert any(pins in command for pins in ("-c constraints.txt", "==", "-r /opt/ngshare"))


def test_what_the_image_copies_is_there_and_is_let_in(containerfile, root):
    lines = (root / ".containerignore").read_text("utf-8").splitlines()
    let_in = {line[1:] for line in lines if line.startswith("!")}
    copied = [shlex.split(line) for line in re.findall(r"^COPY (.*)$", containerfile, re.MULTILINE)]
    for *sources, _ in copied:
        for source in sources:
            assert (root / source).exists()
            assert source in let_in or source.split("/")[0] in let_in


def test_only_a_hub_has_solutions_and_only_root_reads_them_there(containerfile):
    course, single_user, hub, ngshare = re.split(r"^FROM ", containerfile, flags=re.MULTILINE)[1:]
    assert "solutions" not in course + single_user + ngshare
    assert "chmod -R go= solutions" in hub
    assert re.findall(r"^USER .*", single_user, re.MULTILINE) == ["USER 1000"]


def test_the_scripts_of_the_images_are_shell(root):
    for script in ("configurable-http-proxy", "zero-to-jupyterhub/headway-server"):
        path = root / "deploy" / script
        assert path.stat().st_mode & 0o111 == 0o111
        subprocess.run(["sh", "-n", path], check=True)


def test_the_values_name_settings_of_the_chart(either):
    assert set(either) == {"hub", "singleuser"}
    for place, known in CHART.items():
        found = either
        for name in place.split("."):
            found = found.get(name, {})
        assert set(found) <= known, place
    image = either["singleuser"]["image"]["tag"]
    assert image.count(".") == 2


def test_nobody_comes_in_before_somebody_says_who(either):
    config = either["hub"]["config"]
    assert config["JupyterHub"]["authenticator_class"] == "null"
    assert set(config) == {"JupyterHub", "Authenticator"}


@pytest.fixture
def hub(values, tmp_path):
    """What the values make the hub do, with a folder of ours as the volume."""
    config = Config()
    names = {"c": config}
    exec(values["hub"]["extraConfig"]["headway"], names)
    names["CLASSROOM"] = tmp_path

    def start(name: str) -> SimpleNamespace:
        spawner = SimpleNamespace(
            user=SimpleNamespace(name=name), environment={"KEPT": "1"}, uid=1000, gid=100
        )
        config.KubeSpawner.pre_spawn_hook(spawner)
        return spawner

    return start


def by_the_teacher(folder, monkeypatch, uid: int) -> None:
    """The teacher's part of the exchange, as far as this account can make it theirs."""
    make_exchange(folder / "exchange", Account("teacher", uid, uid))
    course = folder / "exchange" / "headway"
    real = type(course).stat
    theirs = SimpleNamespace(st_uid=uid)
    monkeypatch.setattr(
        type(course),
        "stat",
        lambda path, **more: theirs if path == course else real(path, **more),
    )


def test_each_person_of_a_cluster_is_an_account_of_their_own_for_good(hub, tmp_path, monkeypatch):
    teacher = hub("teacher")
    by_the_teacher(tmp_path, monkeypatch, teacher.uid)
    ada, emmy = hub("ada"), hub("emmy")
    assert len({teacher.uid, ada.uid, emmy.uid}) == 3
    assert min(teacher.uid, ada.uid, emmy.uid) >= 10_000
    assert hub("ada").uid == ada.uid == ada.gid
    lines = (tmp_path / "accounts" / "passwd").read_text("utf-8").splitlines()
    assert f"ada:x:{ada.uid}:{ada.uid}::/home/jovyan:/bin/bash" in lines
    assert len(lines) == 3


def test_nobody_comes_before_the_teacher_whose_the_exchange_is(hub, tmp_path):
    with pytest.raises(RuntimeError, match="teacher has to come in first"):
        hub("ada")
    (tmp_path / "exchange" / "headway").mkdir()  # of somebody who is no teacher
    with pytest.raises(RuntimeError, match="teacher has to come in first"):
        hub("ada")


@pytest.mark.parametrize("name", ["", "ada:x:0:0", "a\nroot", "../ada"])
def test_a_name_that_would_make_another_account_is_refused(hub, name):
    with pytest.raises(ValueError, match="cannot be the name of an account"):
        hub(name)


def test_settings_and_mounts_of_a_cluster_are_where_the_image_has_them(
    hub, values, tmp_path, monkeypatch
):
    teacher = hub("teacher")
    by_the_teacher(tmp_path, monkeypatch, teacher.uid)
    made = [str(CLASSROOM / path[len(str(tmp_path)) + 1 :]) for path in write_settings(tmp_path)]
    for person in (teacher, hub("ada")):
        folder = person.environment["JUPYTER_CONFIG_PATH"]
        assert f"{folder}/nbgrader_config.py" in made
        assert folder.startswith(str(CLASSROOM / SETTINGS))
        assert person.environment["KEPT"] == "1"
    # The formgrader refuses any other path to the folder that nbgrader's settings name.
    assert teacher.notebook_dir == str(CLASSROOM / COURSE)
    mounts = {mount["mountPath"] for mount in values["singleuser"]["storage"]["extraVolumeMounts"]}
    assert mounts == {str(CLASSROOM / EXCHANGE), "/var/lib/extrausers"}


@pytest.fixture
def with_ngshare():
    """What the values make a hub do that has an ngshare; the service, and who starts a server."""
    ngshare, config = StandIn(), Config()
    names = {"c": config}
    exec(read_values("values.yaml")["hub"]["extraConfig"]["headway"], names)
    tokens = []

    class Teacher:
        def new_api_token(self, **more: object) -> str:
            assert more["scopes"] == []
            assert more["expires_in"] <= 60
            tokens.append("root")  # an admin of the stand-in
            return "root"

    names["orm"] = SimpleNamespace(
        User=SimpleNamespace(find=lambda db, name: Teacher() if name == "teacher" else None),
        APIToken=SimpleNamespace(find=lambda db, token: token),
    )
    db = SimpleNamespace(delete=tokens.remove, commit=lambda: None)

    def start(name: str) -> SimpleNamespace:
        spawner = SimpleNamespace(user=SimpleNamespace(name=name), environment={"KEPT": "1"})
        spawner.db, spawner.log = db, logging.getLogger("hub")
        asyncio.run(config.KubeSpawner.pre_spawn_hook(spawner))
        assert not tokens
        return spawner

    with served(ngshare) as address:
        names["NGSHARE"] = address + PREFIX.rstrip("/")
        yield ngshare, start


def test_who_comes_in_is_a_student_of_ngshare_s_and_the_teacher_teaches(with_ngshare, caplog):
    ngshare, start = with_ngshare
    assert start("ada").environment["JUPYTER_CONFIG_PATH"] == str(CLASSROOM / SETTINGS / "student")
    teacher = start("teacher")
    start("ada@x.example/1")
    assert ngshare.teachers == {"teacher"}
    assert ngshare.students == {"ada", "ada@x.example/1"}
    assert not caplog.records
    # The formgrader refuses any other path to the folder that nbgrader's settings name.
    assert teacher.notebook_dir == str(CLASSROOM / COURSE)
    assert teacher.environment["KEPT"] == "1"
    assert teacher.environment["NGSHARE_URL"].endswith(PREFIX.rstrip("/"))


def test_who_begins_or_ceases_to_teach_does_so_in_ngshare_too(with_ngshare, caplog):
    ngshare, start = with_ngshare
    ngshare.teachers, ngshare.students = {"ada"}, {"teacher"}
    start("ada")
    start("teacher")
    assert (ngshare.teachers, ngshare.students) == ({"teacher"}, {"ada"})
    assert not caplog.records


def test_who_comes_in_while_ngshare_refuses_can_work_all_the_same(with_ngshare, caplog):
    ngshare, start = with_ngshare

    def refuse(*_: object) -> None:
        raise Answer(403, message="Permission denied")

    ngshare.post_student = refuse
    assert start("ada").notebook_dir == "/home/jovyan"
    assert "ngshare does not know ada" in caplog.text
    assert "answers student/headway/ada with 403" in caplog.text


def test_ngshare_is_reached_by_who_needs_it_and_by_no_browser():
    values, ngshare = read_values("values.yaml"), read_values("ngshare.yaml")
    assert {place: set(part) for place, part in ngshare.items()} == NGSHARE_CHART
    code = values["hub"]["extraConfig"]["headway"]
    assert f'TEACHERS = {{"{ngshare["ngshare"]["admins"][0]}"}}' in code
    assert "services" not in re.sub(r"http://\S+", "", code)
    assert "services" not in values["hub"]
    (rule,) = values["singleuser"]["networkPolicy"]["egress"]
    port = rule["ports"][0]["port"]
    assert f'NGSHARE = "http://ngshare:{port}{PREFIX.rstrip("/")}"' in code
    (back,) = values["hub"]["networkPolicy"]["ingress"]
    assert back["from"] == rule["to"]


def test_the_image_of_ngshare_has_the_version_of_its_tag(root):
    lines = (root / "deploy" / "ngshare" / "requirements.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pins["ngshare"] == read_values("ngshare.yaml")["image"]["tag"]
    assert pins["SQLAlchemy"].startswith("1.4.")


@pytest.mark.parametrize("url", ["", "http://ngshare"])
def test_settings_have_ngshare_where_the_hub_names_one(url, tmp_path, monkeypatch):
    write_settings(tmp_path)
    (tmp_path / COURSE).mkdir()
    (tmp_path / COURSE / "nbgrader_config.py").write_text(COURSE_CONFIG, "utf-8")
    monkeypatch.setenv("NGSHARE_URL", url)
    for who in ("teacher", "student"):
        path = tmp_path / SETTINGS / who
        config = PyFileConfigLoader("nbgrader_config.py", path=str(path)).load_config()
        ours = "headway.hub.ngshare.exchange" if url else "headway.grading.nbgrader.collect"
        assert config.ExchangeFactory.collect == f"{ours}.Collect"
        assert ("NgshareExchange" in config) == bool(url)


def test_a_teacher_with_ngshare_needs_no_exchange_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(own_course, "CLASSROOM", tmp_path / "classroom")
    monkeypatch.setattr(own_course, "make_course", lambda *_: [])
    monkeypatch.setenv("NGSHARE_URL", "http://ngshare")
    own_course.main()
    assert not os.listdir(tmp_path)
